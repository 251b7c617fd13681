/** Validation of what people enter, derived from the fields a provider declares. */
import type { Field, Values } from './provider.ts'

export type Problem = { path: string; message: string }
export type Checked = { values: Values; problems: null } | { values: null; problems: Problem[] }

const longest = { text: 4096, password: 4096, textarea: 16_384, select: 256, date: 10 }
const patterns = new Map<string, RegExp>()

/** What is wrong with one tidied value, or null. */
function fault(field: Field, value: string): string | null {
  if (value.length > longest[field.type]) return `must have at most ${longest[field.type]} characters`
  if (value.includes('\0') || !value.isWellFormed()) return 'must be well-formed text without NUL characters'
  if (field.options && !field.options.includes(value)) return `must be one of ${field.options.join(', ')}`
  if (field.type === 'date' && !isDate(value)) return 'must be a date, written YYYY-MM-DD'
  if (field.pattern && !compiled(field.pattern).test(value)) return 'is not in the right format'
  return null
}

/**
 * Cleaned values, or every problem at once. `partial` leaves out the check for required fields (settings may come later).
 * Secrets are taken as entered; everything else loses the blanks around it.
 */
export function checkFields(fields: readonly Field[], input: unknown, { prefix = '', partial = false } = {}): Checked {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return { values: null, problems: [{ path: prefix.replace(/\.$/, ''), message: 'must be an object of fields' }] }
  const problems: Problem[] = []
  const values: Record<string, string> = {}
  const known = new Map(fields.map((field) => [field.name, field]))
  for (const [name, raw] of Object.entries(input)) {
    const field = known.get(name)
    if (!field)
      problems.push({
        path: prefix + name,
        message: `is not a field of this provider; known are ${[...known.keys()].join(', ') || 'none'}`,
      })
    else if (raw === null || raw === '') continue
    else if (typeof raw !== 'string') problems.push({ path: prefix + name, message: `${field.label} must be a string` })
    else {
      const trimmed = field.secret ? raw : raw.trim()
      const value = field.tidy ? field.tidy(trimmed) : trimmed
      const message = value === '' ? null : fault(field, value)
      if (message) problems.push({ path: prefix + name, message: [`${field.label} ${message}.`, field.help].filter(Boolean).join(' ') })
      else if (value !== '') values[name] = value
    }
  }
  const faulty = new Set(problems.map(({ path }) => path))
  if (!partial)
    for (const field of missingFields(fields, values))
      if (!faulty.has(prefix + field.name))
        problems.push({ path: prefix + field.name, message: [`${field.label} is required.`, field.help].filter(Boolean).join(' ') })
  return problems.length > 0 ? { values: null, problems } : { values: partial ? values : withDefaults(fields, values), problems: null }
}

export const missingFields = (fields: readonly Field[], values: Values): Field[] =>
  fields.filter((field) => field.required && field.default === null && !Object.hasOwn(values, field.name))

export const withDefaults = (fields: readonly Field[], values: Values): Values => ({
  ...Object.fromEntries(fields.flatMap((field) => (field.default === null ? [] : [[field.name, field.default]]))),
  ...values,
})

function compiled(pattern: string): RegExp {
  const known = patterns.get(pattern) ?? new RegExp(pattern, 'v')
  patterns.set(pattern, known)
  return known
}

const isDate = (value: string) => {
  const date = new Date(`${value}T00:00:00Z`)
  return /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value)
}
