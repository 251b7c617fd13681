import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Icon } from '../design/icons.tsx'
import { ProviderMark } from '../design/provider-mark.tsx'
import type { MenuCommand } from './menu-command.ts'

type CommandListProps = {
  label: string
  placeholder: string
  /** Those that fit what was typed. */
  commands: MenuCommand[]
  typed: string
  onType: (typed: string) => void
  onDone: () => void
  listLabel?: string
  /** Instead of the list, where nothing fits. */
  empty?: ReactNode
}

const NOTHING = <p className="px-4 pb-6 text-center text-faint">No results. Try another word.</p>

/** A search box with what it finds below it; the arrow keys choose, Enter goes. */
export function CommandList({
  label,
  placeholder,
  commands,
  typed,
  onType,
  onDone,
  listLabel = 'Places',
  empty = NOTHING,
}: CommandListProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  const [at, setAt] = useState(0)
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
          aria-label={label}
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={commands[chosen] && `${id}-${chosen}`}
          autoComplete="off"
          placeholder={placeholder}
          maxLength={100}
          className="h-12 min-w-0 flex-1 bg-transparent text-large outline-none"
          value={typed}
          onChange={(event) => {
            onType(event.target.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id={`${id}-list`} role="listbox" aria-label={listLabel} className="max-h-[50vh] overflow-y-auto p-1.5">
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
      {commands.length === 0 && empty}
    </>
  )
}

type OptionProps = { id: string; command: MenuCommand; chosen: boolean; onHover: () => void; onRun: () => void }

function Option({ id, command: { name, detail, group, icon, mark }, chosen, onHover, onRun }: OptionProps) {
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
      {mark ? <ProviderMark {...mark} className="-mx-0.5 size-5" /> : <Icon name={icon} className="text-faint" />}
      <span className="grid min-w-0 flex-1">
        <span className="truncate">{name}</span>
        {detail && <span className="truncate text-faint text-small">{detail}</span>}
      </span>
      <span className="max-w-1/2 truncate text-faint text-small">{group}</span>
    </div>
  )
}
