// `--template '{{.id}} {{.name}}'`: a line for each entry of the list that an answer holds, or one for the answer itself.
import { usage } from './failure.ts'
import { filteredBy } from './jq.ts'
import { say, sayJson, withoutControls } from './terminal.ts'

type Entry = Record<string, unknown>

/** For the command that runs: set with each, so that none inherits it. */
let format: FormatFlags = {}

export interface FormatFlags {
  template?: string
  jq?: string
}

export const useFormat = ({ template, jq }: FormatFlags): void => {
  if (template !== undefined && jq !== undefined) throw usage('Use either --template or --jq, not both.')
  format = { ...(template !== undefined && { template }), ...(jq !== undefined && { jq }) }
}

export const hasFormat = (): boolean => format.template !== undefined || format.jq !== undefined

/** For programs: a JSON document, or what the template or the filter makes of it. */
export function sayDocument(value: unknown, indent?: number): void {
  if (format.jq !== undefined) for (const line of filteredBy(format.jq, value)) say`${{ safe: line }}\n`
  else if (format.template !== undefined) for (const line of linesFrom(format.template, value)) say`${{ safe: line }}\n`
  else sayJson(value, indent)
}

const PLACEHOLDER = /\{\{\s*\.?([\w-]+(?:\.[\w-]+)*)\s*\}\}/g
const ESCAPES: Record<string, string> = { '\\n': '\n', '\\t': '\t', '\\\\': '\\' }

export function linesFrom(text: string, answer: unknown): string[] {
  const entries = entriesOf(answer)
  if (!text.match(PLACEHOLDER)) throw usage('--template has no placeholder. Name a field, such as {{.id}}; `--json` shows which there are.')
  for (const [, path] of text.matchAll(PLACEHOLDER))
    if (entries.length && !entries.some((entry) => valueAt(entry, path!) !== undefined)) throw usage(unknownField(path!, entries[0]!))
  const literal = text.replace(/\\[nt\\]/g, (pair) => ESCAPES[pair]!)
  return entries.map((entry) => literal.replace(PLACEHOLDER, (_, path: string) => shown(valueAt(entry, path))))
}

/** What has an id of its own is one thing, whatever lists belong to it. */
function entriesOf(answer: unknown): Entry[] {
  if (Array.isArray(answer)) return answer
  const whole = answer as Entry
  const list = 'id' in whole || 'provider' in whole ? undefined : Object.values(whole).find(isListOfThings)
  return list ?? [whole]
}
const isListOfThings = (value: unknown): value is Entry[] => Array.isArray(value) && value.every((one) => typeof one === 'object')

const unknownField = (path: string, entry: Entry) =>
  `There is no field ${path} to put into --template. There are: ${Object.keys(entry).join(', ')}`

const valueAt = (entry: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (at, name) => (typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? (at as Entry)[name] : undefined),
      entry,
    )

function shown(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return process.stdout.isTTY ? withoutControls(text) : text
}
