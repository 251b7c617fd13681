import type { Output } from '@adjoin/contract/operations'
import { Fragment } from 'react'
import { SecretField, SelectField, TextareaField, TextField } from './field.tsx'
import { usePhrases } from './phrases.ts'

/** A value that can be picked, and what people call it. */
export type FieldChoice = { id: string; name: string }
export type ProviderField = Output<'getProvider'>['connectFields'][number]

type ProviderFieldsProps = {
  fields: ProviderField[]
  /** `settings.` where they are a part of what is sent, as the service names them in its refusals. */
  prefix?: string
  values?: Record<string, string>
  /** A required setting may still come later. */
  partial?: boolean
  /** By the name of a field: what can be picked there, by searching or from the list, instead of typing it. */
  choices?: Record<string, FieldChoice[]>
  /** Counts the tries: what was secret is gone after each. */
  attempt?: number
}

/**
 * What an ad system needs, drawn from its descriptor. The form of a value is checked by the service,
 * which first removes what people paste along with it (blanks, dashes, a leading word).
 */
export function ProviderFields({ fields, prefix = '', values = {}, partial = false, choices = {}, attempt = 0 }: ProviderFieldsProps) {
  const { choose, optional } = usePhrases()
  return fields.map((field) => {
    const required = field.required && !partial && field.default === null
    const props = {
      name: `${prefix}${field.name}`,
      label: required || partial ? field.label : optional(field.label),
      help: field.help,
      required,
      defaultValue: values[field.name] ?? field.default ?? '',
    }
    const key = field.secret ? `${field.name} ${attempt}` : field.name
    if (field.options)
      return (
        <SelectField key={key} {...props} label={field.label}>
          {field.default === null && <option value="">{choose}</option>}
          {field.options.map((option) => (
            <option key={option} value={option}>
              {option.charAt(0).toUpperCase() + option.slice(1)}
            </option>
          ))}
        </SelectField>
      )
    if (field.type === 'textarea') return <TextareaField key={key} {...props} autoComplete="off" spellCheck={false} />
    if (field.secret || field.type === 'password') return <SecretField key={key} {...props} />
    const offered = choices[field.name] ?? []
    const list = `${props.name}-choices`
    return (
      <Fragment key={key}>
        <TextField
          {...props}
          {...(offered.length && { list, help: `${field.help} ${pick(offered.length)}` })}
          type={field.type === 'date' ? 'date' : 'text'}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        {offered.length > 0 && (
          <datalist id={list}>
            {offered.map(({ id, name }) => (
              <option key={id} value={id} label={`${name} (${id})`} />
            ))}
          </datalist>
        )}
      </Fragment>
    )
  })
}

const pick = (count: number) =>
  count === 1
    ? 'This connection reaches one account: click the field to choose it.'
    : `Choose one of the ${count.toLocaleString()} accounts that this connection reaches: click the field, or type part of the name.`

/** The settings of a form: what was filled in, under the names of the fields. */
export const settingsIn = (values: Record<string, string>, fields: ProviderField[]): Record<string, string> =>
  Object.fromEntries(fields.map(({ name }) => [name, values[`settings.${name}`] ?? '']).filter(([, value]) => value))
