import { useId } from 'react'

type SwitchProps = { label: string; help: string; on: boolean; busy: boolean; onChange: (on: boolean) => void }

/** Something that is on or off and changes at once. */
export function Switch({ label, help, on, busy, onChange }: SwitchProps) {
  const id = useId()
  return (
    <div className="flex items-start gap-2.5">
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={on}
        checked={on}
        disabled={busy}
        aria-describedby={`${id}-help`}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-1 accent-accent"
      />
      <div className="grid">
        <label htmlFor={id} className="font-medium text-ink">
          {label}
        </label>
        <p id={`${id}-help`} className="text-faint text-small">
          {help}
        </p>
      </div>
    </div>
  )
}
