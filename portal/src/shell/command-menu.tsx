import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Icon } from '../design/icons.tsx'
import { type MenuCommand, matches, useCommands } from './commands.ts'

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
        className="control-small mr-1 flex items-center gap-2 border border-line px-2 text-faint hover:bg-sunken hover:text-ink max-sm:border-transparent"
      >
        <Icon name="search" />
        <span className="max-sm:sr-only">Go to…</span>
        <kbd className="font-sans text-tiny max-md:hidden">{isMac ? '⌘ K' : 'Ctrl K'}</kbd>
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
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const commands = useCommands(true).filter((command) => matches(command, typed.trim()))
  const chosen = Math.min(at, commands.length - 1)
  const run = (command: MenuCommand | undefined) => {
    if (!command) return
    onDone()
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setAt((chosen + step + commands.length) % commands.length)
    else if (event.key === 'Enter') run(commands[chosen])
    else return
    event.preventDefault()
  }
  return (
    <>
      <div className="flex items-center gap-2.5 border-line border-b px-4">
        <Icon name="search" className="text-faint" />
        <input
          ref={input}
          role="combobox"
          aria-label="Go to"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={commands[chosen] && `${id}-${chosen}`}
          autoComplete="off"
          placeholder="Search pages, workspaces, organizations…"
          className="h-12 min-w-0 flex-1 bg-transparent text-large outline-none"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id={`${id}-list`} role="listbox" aria-label="Places" className="max-h-[50vh] overflow-y-auto p-1.5">
        {commands.map((command, index) => (
          <Option
            key={`${command.group} ${command.name} ${command.id ?? ''}`}
            id={`${id}-${index}`}
            command={command}
            chosen={index === chosen}
            onHover={() => setAt(index)}
            onRun={() => run(command)}
          />
        ))}
      </div>
      {commands.length === 0 && <p className="px-4 pb-6 text-center text-faint">No results. Try another word.</p>}
    </>
  )
}

type OptionProps = { id: string; command: MenuCommand; chosen: boolean; onHover: () => void; onRun: () => void }

function Option({ id, command: { name, group, icon }, chosen, onHover, onRun }: OptionProps) {
  const option = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (chosen) option.current?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the combobox, which keeps the focus
    // biome-ignore lint/a11y/useFocusableInteractive: the active descendant of the combobox
    <div
      ref={option}
      id={id}
      role="option"
      aria-selected={chosen}
      onMouseMove={onHover}
      onClick={onRun}
      className="flex cursor-pointer items-center gap-3 rounded-small px-2.5 py-2 aria-selected:bg-accent-tint"
    >
      <Icon name={icon} className="text-faint" />
      <span className="min-w-0 flex-1 truncate">{name}</span>
      <span className="truncate text-faint text-small">{group}</span>
    </div>
  )
}
