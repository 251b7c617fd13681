import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { Button } from './button.tsx'
import { Icon } from './icons.tsx'

type DialogProps = {
  title: string
  note?: ReactNode
  onClose: () => void
  /** Where Escape and the close button must not close it: what happens instead. */
  onEscape?: () => void
  children: ReactNode
  wide?: boolean
}

/** The browser's own modal: focus, Escape and the top layer come with it, and no style is injected. */
export const Dialog = ({ open, ...props }: DialogProps & { open: boolean }) => (open ? <OpenDialog {...props} /> : null)

function OpenDialog({ title, note, onClose, onEscape, children, wide }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const element = dialog.current!
    element.showModal()
    // The browser would begin at the close button; a person who opened a form wants its first field, and a harmless question its answer.
    element.querySelector<HTMLElement>('form input, form select, [data-autofocus]')?.focus()
    // Closed before it goes, so that the focus returns to where it came from.
    return () => element.close()
  }, [])
  // At the key and wherever the focus is: a browser lets `cancel` be prevented only once in a row.
  useLayoutEffect(() => {
    if (!onEscape) return
    const listener = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      onEscape()
    }
    document.addEventListener('keydown', listener, true)
    return () => document.removeEventListener('keydown', listener, true)
  }, [onEscape])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={() => !dialog.current?.open && onClose()}
      onCancel={(event) => onEscape && event.target === event.currentTarget && event.preventDefault()}
      className={`card m-auto w-[calc(100%-2rem)] ${wide ? 'max-w-2xl' : 'max-w-md'} max-h-[calc(100dvh-2rem)] whitespace-normal p-0 text-left text-ink shadow-floating`}
    >
      <header className="flex items-start justify-between gap-4 px-5 pt-4">
        <div className="grid gap-1">
          <h2 id={id} className="wrap-anywhere font-semibold text-large">
            {title}
          </h2>
          {note && <div className="text-soft">{note}</div>}
        </div>
        <Button
          look="quiet"
          size="square"
          aria-label="Close"
          onClick={() => (onEscape ? onEscape() : dialog.current?.close())}
          className="-mr-2"
        >
          <Icon name="close" />
        </Button>
      </header>
      <div className="px-5 pt-4 pb-5">{children}</div>
    </dialog>
  )
}

/** The buttons at the foot of a dialog: the way back first, the action last. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap justify-end gap-2 pt-1">{children}</div>
)
