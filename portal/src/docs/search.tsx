import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Empty } from '../design/empty.tsx'
import type { IconName } from '../design/icons.tsx'
import { Icon } from '../design/icons.tsx'
import { Kbd } from '../design/kbd.tsx'
import { CommandList } from '../shell/command-list.tsx'
import type { MenuCommand } from '../shell/menu-command.ts'
import { type Found, indexOf, searched } from './search-index.ts'
import { useDocument } from './use-document.ts'

const icons: Record<Found['kind'], IconName> = { Guides: 'info', Operations: 'next', 'Ad systems': 'layers', Errors: 'alert' }

/** Whoever types into a field means the field. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** Everything in the documentation, by typing what it is called: `/` from anywhere. */
export function DocsSearch() {
  const dialog = useRef<HTMLDialogElement>(null)
  const [open, setOpen] = useState(false)
  const show = () => {
    setOpen(true)
    dialog.current?.showModal()
  }
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const asked = (event.key === '/' && !isTyping(event.target)) || (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey))
      if (!asked || event.altKey || document.querySelector('dialog[open]')) return
      event.preventDefault()
      show()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })
  return (
    <>
      <button
        type="button"
        onClick={show}
        className="control-small flex shrink-0 items-center gap-2 whitespace-nowrap border border-line px-2 text-faint hover:bg-sunken hover:text-ink sm:w-56"
      >
        <Icon name="search" />
        <span className="flex-1 text-left max-sm:sr-only">Search docs</span>
        <span className="max-sm:hidden">
          <Kbd>/</Kbd>
        </span>
      </button>
      {/** biome-ignore lint/a11y/useKeyWithClickEvents: the key for leaving is Escape, and the browser's own */}
      <dialog
        ref={dialog}
        aria-label="Search the documentation"
        onClose={() => setOpen(false)}
        onClick={(event) => event.target === dialog.current && dialog.current.close()}
        className="card mx-auto mt-[10vh] w-[calc(100%-2rem)] max-w-xl overflow-clip p-0 text-ink shadow-floating"
      >
        {open && <Results onDone={() => dialog.current?.close()} />}
      </dialog>
    </>
  )
}

function Results({ onDone }: { onDone: () => void }) {
  const [typed, setTyped] = useState('')
  const navigate = useNavigate()
  const { data } = useDocument()
  const index = useMemo(() => indexOf(data), [data])
  const commands = searched(index, typed).map(
    ({ kind, name, detail, to, hash, method, provider }): MenuCommand => ({
      name,
      detail: method ? `${method} · ${detail}` : detail,
      group: kind,
      icon: icons[kind],
      id: `${to}#${hash ?? ''}`,
      ...(provider && { mark: provider }),
      run: () => void navigate({ to: to as '/docs', ...(hash && { hash }) }),
    }),
  )
  return (
    <CommandList
      label="Search the documentation"
      listLabel="Results"
      placeholder="Search guides, operations, ad systems, errors…"
      commands={commands}
      typed={typed}
      onType={setTyped}
      onDone={onDone}
      empty={
        <Empty icon="search" title={`Nothing found for “${typed.trim()}”`}>
          Try the name of an operation (rotateApiKey), part of a path, an ad system, or the code of an error.
        </Empty>
      }
    />
  )
}
