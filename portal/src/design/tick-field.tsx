import { type ComponentProps, useId } from 'react'

type TickFieldProps = ComponentProps<'input'> & { label: string; help: string }

/** A yes or no: in a form, sent with the rest under its name. */
export function TickField({ label, help, ...input }: TickFieldProps) {
  const id = useId()
  return (
    <div className="flex items-start gap-2.5">
      <input {...input} id={id} type="checkbox" aria-describedby={`${id}-help`} className="mt-1 accent-accent" />
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
