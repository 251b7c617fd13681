import { useEffect, useId, useRef } from 'react'
import { Icon } from '../design/icons.tsx'
import { countChosen, type EventGroup, eventGroups, isChosen, toggleGroup, toggleKind } from '../event-types.ts'

type Props = { types: string[]; onChange: (types: string[]) => void }

/** The kinds of events in groups: a whole group with one tick, or opened, some of it. */
export const EventTypeChoice = ({ types, onChange }: Props) => (
  <ul className="divide-y divide-line rounded-base border border-line" aria-label="Events">
    {eventGroups.map((group) => (
      <Group key={group.type} group={group} types={types} onChange={onChange} />
    ))}
  </ul>
)

function Group({ group, types, onChange }: Props & { group: EventGroup }) {
  const id = useId()
  const count = countChosen(types, group)
  const some = count > 0 && count < group.kinds.length
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    box.current!.indeterminate = some
  }, [some])
  return (
    <li className="relative">
      <details className="group">
        <summary className="flex list-none items-center justify-end gap-2 rounded-base px-3 py-2 hover:bg-sunken/50 [&::-webkit-details-marker]:hidden">
          <span className="sr-only">{group.label}: show each event,</span>
          <span className="text-faint text-small tabular-nums">
            {count} of {group.kinds.length}
          </span>
          <Icon name="chevron" className="text-faint transition-transform group-open:rotate-180" />
        </summary>
        <ul className="grid gap-1.5 border-line border-t border-dashed bg-sunken/40 py-2.5 pr-3 pl-9">
          {group.kinds.map(({ type, label }) => (
            <li key={type}>
              <label className="flex items-start gap-2.5">
                <input
                  type="checkbox"
                  checked={isChosen(types, type)}
                  onChange={() => onChange(toggleKind(types, group, type))}
                  className="mt-1 accent-accent"
                />
                <span className="text-small">{label}</span>
              </label>
            </li>
          ))}
        </ul>
      </details>
      {/* Beside the summary, not in it: what opens holds no other control. */}
      <span className="absolute top-2 left-3 flex items-center gap-2.5">
        <input
          ref={box}
          id={id}
          type="checkbox"
          checked={count === group.kinds.length}
          onChange={() => onChange(toggleGroup(types, group))}
          className="accent-accent"
        />
        <label htmlFor={id}>{group.label}</label>
      </span>
    </li>
  )
}
