import { useIsFetching } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { TextField } from './field.tsx'
import { Refusal } from './refusal.tsx'

type ConfirmProps = {
  title: string
  /** What will be lost or changed, before it is. */
  children: ReactNode
  action: string
  /** The way back, where “Cancel” could mean the action. */
  back?: string
  harmless?: boolean
  /** To be typed first, where much would be lost. */
  typed?: string | undefined
  change: { isPending: boolean; error: Error | null }
  onConfirm: () => void
  onClose: () => void
}

export function Confirm({ title, children, action, back = 'Cancel', harmless, typed, change, onConfirm, onClose }: ConfirmProps) {
  const [written, setWritten] = useState('')
  // What would end is still being asked: the answer moves the buttons, and is worth reading first.
  const asking = useIsFetching({ queryKey: ['wouldEnd'] }) > 0
  return (
    <Dialog title={title} open onClose={onClose}>
      <div className="grid gap-4">
        <div className="grid gap-2 text-soft">{children}</div>
        {typed && (
          <TextField
            name="typed"
            label={`Type “${typed}” to confirm`}
            autoComplete="off"
            value={written}
            onChange={(event) => setWritten(event.target.value)}
          />
        )}
        {change.error && <Refusal error={change.error} />}
        <DialogActions>
          <Button onClick={onClose}>{back}</Button>
          <Button
            look={harmless ? 'primary' : 'danger'}
            busy={change.isPending}
            disabled={asking || (typed !== undefined && written.trim() !== typed)}
            onClick={onConfirm}
            data-autofocus={harmless || undefined}
          >
            {action}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}
