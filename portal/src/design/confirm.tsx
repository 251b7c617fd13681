import type { ReactNode } from 'react'
import { explain } from '../problem.ts'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { Notice } from './notice.tsx'

type ConfirmProps = {
  title: string
  /** What will be lost or changed, before it is. */
  children: ReactNode
  action: string
  harmless?: boolean
  change: { isPending: boolean; error: Error | null }
  onConfirm: () => void
  onClose: () => void
}

export const Confirm = ({ title, children, action, harmless, change, onConfirm, onClose }: ConfirmProps) => (
  <Dialog title={title} open onClose={onClose}>
    <div className="grid gap-4">
      <div className="grid gap-2 text-soft">{children}</div>
      {change.error && <Notice tone="bad" {...explain(change.error)} />}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look={harmless ? 'primary' : 'danger'} busy={change.isPending} onClick={onConfirm}>
          {action}
        </Button>
      </DialogActions>
    </div>
  </Dialog>
)
