import type { Output } from '@adjoin/contract/operations'
import { SecretField, SelectField, TextareaField, TextField } from './field.tsx'

export type ProviderField = Output<'getProvider'>['connectFields'][number]

type ProviderFieldsProps = {
  fields: ProviderField[]
  /** `settings.` where they are a part of what is sent, as the service names them in its refusals. */
  prefix?: string
  values?: Record<string, string>
  /** A required setting may still come later. */
  partial?: boolean
  /** Counts the tries: what was secret is gone after each. */
  attempt?: number
}

/**
 * What an ad system needs, drawn from its descriptor. The form of a value is checked by the service,
 * which first removes what people paste along with it (blanks, dashes, a leading word).
 */
export const ProviderFields = ({ fields, prefix = '', values = {}, partial = false, attempt = 0 }: ProviderFieldsProps) =>
  fields.map((field) => {
    const required = field.required && !partial && field.default === null
    const props = {
      name: `${prefix}${field.name}`,
      label: required || partial ? field.label : `${field.label} (optional)`,
      help: field.help,
      required,
      defaultValue: values[field.name] ?? field.default ?? '',
    }
    const key = field.secret ? `${field.name} ${attempt}` : field.name
    if (field.options)
      return (
        <SelectField key={key} {...props} label={field.label}>
          {field.default === null && <option value="">Choose…</option>}
          {field.options.map((option) => (
            <option key={option} value={option}>
              {option.charAt(0).toUpperCase() + option.slice(1)}
            </option>
          ))}
        </SelectField>
      )
    if (field.type === 'textarea') return <TextareaField key={key} {...props} autoComplete="off" spellCheck={false} />
    if (field.secret || field.type === 'password') return <SecretField key={key} {...props} />
    return (
      <TextField
        key={key}
        {...props}
        type={field.type === 'date' ? 'date' : 'text'}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    )
  })

/** The settings of a form: what was filled in, under the names of the fields. */
export const settingsIn = (values: Record<string, string>, fields: ProviderField[]): Record<string, string> =>
  Object.fromEntries(fields.map(({ name }) => [name, values[`settings.${name}`] ?? '']).filter(([, value]) => value))
