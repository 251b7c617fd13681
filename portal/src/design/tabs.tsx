import { type KeyboardEvent, type ReactNode, useId } from 'react'

type TabsProps = { label: string; names: string[]; value: string; onChange: (name: string) => void; children: ReactNode }

/** One thing in several forms, of which one is in sight. Arrow keys lead from one to the next. */
export function Tabs({ label, names, value, onChange, children }: TabsProps) {
  const id = useId()
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    const next = names[(names.indexOf(value) + step + names.length) % names.length]!
    onChange(next)
    document.getElementById(`${id}-${next}`)?.focus()
  }
  return (
    <div className="grid min-w-0 gap-3">
      <div role="tablist" aria-label={label} className="flex flex-wrap gap-1" onKeyDown={move}>
        {names.map((name) => (
          <button
            key={name}
            id={`${id}-${name}`}
            type="button"
            role="tab"
            aria-selected={name === value}
            aria-controls={`${id}-panel`}
            tabIndex={name === value ? 0 : -1}
            onClick={() => onChange(name)}
            className="control-small px-2.5 font-medium text-soft hover:bg-sunken hover:text-ink aria-selected:bg-accent-tint aria-selected:text-accent"
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`} className="min-w-0">
        {children}
      </div>
    </div>
  )
}
