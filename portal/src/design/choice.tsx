import { type ReactNode, useId } from 'react'

export type Option<Value extends string> = { value: Value; label: string; help: string }

type ChoiceProps<Value extends string> = {
  legend: ReactNode
  options: Option<Value>[]
  value: Value
  onChange: (value: Value) => void
}

/** A few ways to go on, each with what it means, all in sight. */
export function Choice<Value extends string>({ legend, options, value, onChange }: ChoiceProps<Value>) {
  const name = useId()
  return (
    <fieldset className="grid gap-2.5">
      <legend className="mb-2 font-medium text-ink">{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className="flex items-start gap-2.5">
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="mt-1 accent-accent"
          />
          <span className="grid">
            <span className="text-ink">{option.label}</span>
            <span className="text-faint text-small">{option.help}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
