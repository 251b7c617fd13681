import { createContext, type FormEvent, type ReactNode, use, useEffect, useRef, useState } from 'react'
import type { CodeFields } from '../problem.ts'
import { usePhrases } from './phrases.ts'
import { Refusal } from './refusal.tsx'

type Errors = Record<string, string>
const Context = createContext<{ errors: Errors; clear: (name: string) => void }>({ errors: {}, clear: () => {} })
export const useFormErrors = () => use(Context)

/**
 * A form whose refusals stand at their fields:
 * first what the browser can tell, then what the service answered.
 * A refusal that belongs to no field of this form is shown above the fields.
 */
export function Form<Values extends object>(props: {
  error?: unknown
  codes?: CodeFields
  onSubmit: (values: Values) => void
  busy?: boolean
  /** What is known to be wrong before anything is sent, by the names of the fields. */
  marks?: Errors
  className?: string
  children: ReactNode
}) {
  const { error, codes, onSubmit, busy, marks = {}, className = 'grid gap-5', children } = props
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<Errors>(marks)
  const [stray, setStray] = useState(false)
  const { fieldErrors, fillIn } = usePhrases()

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new answer changes what is shown
  useEffect(() => {
    if (error == null) return setStray(false)
    const told = fieldErrors(error, codes)
    const own = Object.entries(told).filter(([name]) => form.current?.elements.namedItem(name))
    setErrors(Object.fromEntries(own))
    setStray(own.length === 0)
    if (own[0]) focus(form.current, own[0][0])
  }, [error])

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy) return
    const found = invalid(event.currentTarget, fillIn)
    setErrors(found)
    const [first] = Object.keys(found)
    if (first) return focus(event.currentTarget, first)
    onSubmit(Object.fromEntries(new FormData(event.currentTarget, (event.nativeEvent as SubmitEvent).submitter)) as Values)
  }
  const clear = (name: string) => setErrors(({ [name]: _, ...rest }) => rest)

  return (
    <form ref={form} noValidate onSubmit={submit} className={className}>
      {stray && <Refusal error={error} />}
      <Context value={{ errors, clear }}>{children}</Context>
    </form>
  )
}

const focus = (form: HTMLFormElement | null, name: string) => {
  const field = form?.elements.namedItem(name)
  const first = field instanceof RadioNodeList ? field[0] : field
  if (first instanceof HTMLElement) first.focus()
}

function invalid(form: HTMLFormElement, fillIn: string): Errors {
  const fields = [...form.elements].filter(
    (field) => field instanceof HTMLInputElement || field instanceof HTMLSelectElement || field instanceof HTMLTextAreaElement,
  )
  return Object.fromEntries(
    fields.filter((field) => field.name && !field.validity.valid).map((field) => [field.name, reason(field, fillIn)]),
  )
}

function reason(field: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement, fillIn: string): string {
  if (field.validity.valueMissing) return fillIn
  if (field.validity.typeMismatch && field.type === 'email') return 'Enter an email address, such as ada@agency.example.'
  if (field.validity.patternMismatch && field.title) return field.title
  return field.validationMessage
}
