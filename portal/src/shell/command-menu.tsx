import { useEffect, useRef, useState } from 'react'
import { Icon } from '../design/icons.tsx'
import { Kbd } from '../design/kbd.tsx'
import { CommandList } from './command-list.tsx'
import { useCommands } from './commands.ts'

const isMac = /Mac|iP(hone|ad)/.test(navigator.platform)

/** Ctrl-K: go anywhere by typing where. */
export function CommandMenu() {
  const dialog = useRef<HTMLDialogElement>(null)
  const [open, setOpen] = useState(false)
  const show = () => {
    setOpen(true)
    dialog.current?.showModal()
  }
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      if (dialog.current?.open) dialog.current.close()
      // Another modal that is open stays on top of its own matter.
      else if (!document.querySelector('dialog[open]')) show()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })
  return (
    <>
      <button
        type="button"
        onClick={show}
        className="control-small mr-1 flex shrink-0 items-center whitespace-nowrap gap-2 border border-line px-2 text-faint hover:bg-sunken hover:text-ink max-sm:border-transparent"
      >
        <Icon name="search" />
        <span className="max-sm:sr-only">Go to…</span>
        <span className="max-md:hidden">
          <Kbd>{isMac ? '⌘ K' : 'Ctrl K'}</Kbd>
        </span>
      </button>
      {/** biome-ignore lint/a11y/useKeyWithClickEvents: the key for leaving is Escape, and the browser's own */}
      <dialog
        ref={dialog}
        aria-label="Go to"
        onClose={() => setOpen(false)}
        onClick={(event) => event.target === dialog.current && dialog.current.close()}
        className="card mx-auto mt-[12vh] w-[calc(100%-2rem)] max-w-lg overflow-clip p-0 text-ink shadow-floating"
      >
        {open && <Palette onDone={() => dialog.current?.close()} />}
      </dialog>
    </>
  )
}

function Palette({ onDone }: { onDone: () => void }) {
  const [typed, setTyped] = useState('')
  return (
    <CommandList
      label="Go to"
      placeholder="Search integrations, people, keys, pages…"
      commands={useCommands(typed.trim())}
      typed={typed}
      onType={setTyped}
      onDone={onDone}
    />
  )
}
