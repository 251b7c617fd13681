import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { Notice } from './notice.tsx'

type ShownOnceProps = {
  title: string
  /** `key`, `secret` */
  what: string
  text: string
  /** What to do with it. */
  children: ReactNode
  onClose: () => void
}

/**
 * The only time that a secret is seen: it leaves the page's memory when this closes.
 * Escape is pressed in passing, so until it was copied it asks first, as the close button does.
 */
export function ShownOnce({ title, what, text, children, onClose }: ShownOnceProps) {
  const [asked, setAsked] = useState(false)
  const [copied, setCopied] = useState(false)
  return (
    <Dialog title={title} open onClose={onClose} onEscape={copied ? onClose : () => setAsked(true)} wide>
      <div className="grid gap-4">
        {asked && !copied ? (
          <Notice tone="bad" title={`Have you saved this ${what}?`} detail="You won’t be able to see it again after you close this." />
        ) : (
          <Notice tone="warn" title={`Copy this ${what} now`} detail="You won’t be able to see it again." />
        )}
        <div className="flex flex-wrap items-center gap-3 rounded-base bg-sunken p-3">
          <code className="wrap-anywhere min-w-0 flex-1 select-all font-mono text-small" data-testid={what} onCopy={() => setCopied(true)}>
            {text}
          </code>
          <CopyButton text={text} onCopied={() => setCopied(true)} />
        </div>
        <div className="grid gap-2 text-soft">{children}</div>
        <DialogActions>
          {asked && !copied && (
            <Button look="grave" onClick={onClose}>
              Close without it
            </Button>
          )}
          <Button look="primary" onClick={onClose}>
            I’ve saved it
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}
