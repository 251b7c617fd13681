import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { useFormErrors } from './form.tsx'
import { Icon } from './icons.tsx'
import { usePhrases } from './phrases.ts'

type Frame = { name: string; label: string; help?: ReactNode; hideLabel?: boolean }

export const box =
  'control w-full border border-edge bg-surface px-3 text-ink shadow-raised transition-colors hover:border-soft focus:border-accent focus:outline-2 focus:outline-offset-0 focus:outline-accent aria-invalid:border-bad aria-invalid:outline-bad disabled:bg-sunken disabled:text-faint'

/** A label, the control, its help, and what is wrong with it: tied together for every kind of reader. */
export function Framed({ name, label, help, hideLabel, children }: Frame & { children: (ties: Ties) => ReactNode }) {
  const id = useId()
  const { errors, clear } = useFormErrors()
  const error = errors[name]
  // A refusal of the service repeats the help; once is enough.
  const helpful = help && !(typeof help === 'string' && error?.includes(help))
  const described = [helpful && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'font-medium text-ink'}>
        {label}
      </label>
      {children({
        id,
        name,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
        onInput: () => error && clear(name),
      })}
      {error && (
        <p id={`${id}-error`} className="flex items-start gap-1.5 text-bad text-small" role="alert">
          <Icon name="alert" className="mt-0.5" />
          {error}
        </p>
      )}
      {helpful && (
        <p id={`${id}-help`} className="text-faint text-small">
          {help}
        </p>
      )}
    </div>
  )
}
type Ties = Pick<ComponentProps<'input'>, 'id' | 'name' | 'aria-describedby' | 'aria-invalid'> & { onInput: () => void }

export const TextField = ({ name, label, help, hideLabel, className = '', ...input }: Frame & ComponentProps<'input'>) => (
  <Framed {...{ name, label, help, hideLabel }}>{(ties) => <input {...input} {...ties} className={`${box} ${className}`} />}</Framed>
)

export const TextareaField = ({
  name,
  label,
  help,
  hideLabel,
  className = 'font-mono text-small',
  ...area
}: Frame & ComponentProps<'textarea'>) => (
  <Framed {...{ name, label, help, hideLabel }}>
    {(ties) => <textarea rows={5} {...area} {...ties} className={`${box} py-2 ${className}`} />}
  </Framed>
)

/**
 * A secret: hidden while it is typed, shown when one wants to check what was pasted.
 * Never offered to be remembered.
 */
export function SecretField({ name, label, help, ...input }: Frame & ComponentProps<'input'>) {
  const [shown, setShown] = useState(false)
  const { show, hide, showField } = usePhrases()
  return (
    <Framed {...{ name, label, help }}>
      {(ties) => (
        <span className="relative grid">
          <input
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...input}
            {...ties}
            type={shown ? 'text' : 'password'}
            className={`${box} pr-17`}
          />
          <button
            type="button"
            aria-pressed={shown}
            aria-label={showField(label)}
            onClick={() => setShown(!shown)}
            className="absolute inset-y-1 right-1 rounded-small px-2.5 font-medium text-small text-soft hover:bg-sunken hover:text-ink"
          >
            {shown ? hide : show}
          </button>
        </span>
      )}
    </Framed>
  )
}

export const SelectField = ({ name, label, help, hideLabel, children, ...select }: Frame & ComponentProps<'select'>) => (
  <Framed {...{ name, label, help, hideLabel }}>
    {(ties) => (
      <span className="relative grid">
        <select {...select} {...ties} className={`${box} appearance-none pr-9`}>
          {children}
        </select>
        <Icon name="chevron" className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-faint" />
      </span>
    )}
  </Framed>
)
