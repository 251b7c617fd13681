// Command-line flags from the contract's schemas: `graceHours` becomes `--grace-hours <number>`.
import { readFileSync } from 'node:fs'
import { ABSENT } from '@adjoin/contract/fields'
import { type Command, Option } from 'commander'
import * as z from 'zod'
import { usage } from './failure.ts'
import { meaningOf, nullMeaningOf, placeholderOf, RENAMED } from './flag-words.ts'

export interface Flag {
  readonly name: string
  readonly required: boolean
  readonly nullable: boolean
  readonly kind: 'text' | 'number' | 'boolean' | 'pairs' | 'list'
  readonly choices: readonly string[] | undefined
  readonly help: string
}

type FlagSchema = {
  type?: string | string[]
  enum?: string[]
  const?: string
  [ABSENT]?: true
  description?: string
  default?: unknown
  minimum?: number
  maximum?: number
  anyOf?: FlagSchema[]
}

/** The fields of an object schema; of a union, the fields of all its branches, of which those are required that every branch requires. */
export function flagsOf(schema: z.ZodType | undefined, operation = ''): Flag[] {
  if (!schema) return []
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return flagsOf(schema.unwrap() as z.ZodType, operation).map((flag) => ({ ...flag, required: false }))
  if (schema instanceof z.ZodUnion) {
    const branches = (schema.options as z.ZodType[]).map((option) => flagsOf(option, operation))
    const all = branches.flat()
    return [...new Set(all.map(({ name }) => name))].map((name) => {
      const same = all.filter((flag) => flag.name === name)
      return {
        ...same[0]!,
        required: same.length === branches.length && same.every(({ required }) => required),
        choices: same.some(({ choices }) => !choices) ? undefined : [...new Set(same.flatMap(({ choices }) => choices!))],
      }
    })
  }
  if (schema instanceof z.ZodRecord) return [FIELD]
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries(schema.shape).flatMap(([name, field]) => flagOf(operation, name, field as z.ZodType) ?? [])
}

const PAIR = 'NAME=VALUE, NAME=@FILE, or NAME=- for standard input; repeat for more'
/** What a provider asks for; which fields, only the provider knows. */
const FIELD: Flag = { name: 'field', required: false, nullable: false, kind: 'pairs', choices: undefined, help: PAIR }

/** Nothing for a field that must be left out. */
function flagOf(operation: string, name: string, field: z.ZodType): Flag | undefined {
  const json = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' }) as FlagSchema
  if (json[ABSENT]) return undefined
  const types = [json, ...(json.anyOf ?? [])].flatMap((one) => one.type ?? [])
  const kind = types.includes('object')
    ? 'pairs'
    : types.includes('array')
      ? 'list'
      : types.includes('boolean') || field.safeParse('true').data === true // a query says it in letters
        ? 'boolean'
        : types.includes('integer') || types.includes('number')
          ? 'number'
          : 'text'
  const nullable = types.includes('null')
  const range = json.minimum !== undefined && json.maximum !== undefined ? `${json.minimum} to ${json.maximum}` : undefined
  const fallback = json.default === undefined || json.default === null || kind === 'list' ? undefined : `default ${json.default}`
  const notes = [range, fallback, nullable && `\`null\` for ${nullMeaningOf(name)}`].filter(Boolean).join('; ')
  const said = meaningOf(operation, name, json.description) ?? words(name)
  const meaning = said.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase()).replace(/\.$/, '')
  const repeated = { pairs: `; ${PAIR}`, list: '; repeat for more' }[kind as string] ?? ''
  const help = [`${meaning}${repeated}`, notes && `(${notes})`].filter(Boolean).join(' ')
  return {
    name,
    required: !field.safeParse(undefined).success,
    nullable,
    kind,
    choices: json.enum ?? (json.const === undefined ? undefined : [json.const]),
    help,
  }
}

const words = (name: string) => name.replace(/([A-Z]+)/g, ' $1').toLowerCase()
/** One pair at a time, so it is called as one: `settings` is given as `--setting`. */
export const calledAs = ({ name, kind }: Flag): string => RENAMED[name] ?? (kind === 'pairs' ? name.replace(/s$/, '') : name)
export const dashed = (name: string): string => name.replace(/([A-Z]+)/g, '-$1').toLowerCase()
/** The name under which commander keeps a value: `callbackURL` is `--callback-url`, kept as `callbackUrl`. */
const keptAs = (name: string) => dashed(name).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

const SHAPE = { number: 'number', pairs: 'name=value', list: 'text', text: 'text' } as const

/** `--dry-run` alone means true, so help leaves out the value that may follow it. */
export const SWITCH = / \[true\|false\]$/

function shapeOf({ name, kind }: Flag): string {
  if (kind === 'boolean') return ' [true|false]'
  return ` <${(kind !== 'pairs' && placeholderOf(name)) || SHAPE[kind]}>`
}

/**
 * A switch takes the next word as its value only if that is `true` or `false`:
 * in `--dry-run ID` the ID is an argument, so that no dry run becomes a real one.
 */
export function withSwitchValues(args: readonly string[], switches: ReadonlySet<string>): string[] {
  return args.flatMap((arg, i) => {
    if (switches.has(arg)) return `${arg}=${isTrueOrFalse(args[i + 1]) ? args[i + 1] : 'true'}`
    return isTrueOrFalse(arg) && switches.has(args[i - 1] ?? '') ? [] : arg
  })
}
const isTrueOrFalse = (word: string | undefined) => word === 'true' || word === 'false'

export function addFlags(command: Command, flags: Flag[]): void {
  for (const flag of flags) {
    const { required, kind, choices, help } = flag
    const option = new Option(`--${dashed(calledAs(flag))}${shapeOf(flag)}`, required ? `${help} (required)` : help)
    if (choices && kind === 'text') option.choices(choices)
    // Repeated, not a list: a list would swallow the arguments behind it.
    if (kind === 'pairs' || kind === 'list') option.argParser((pair: string, before: string[] = []) => [...before, pair])
    command.addOption(option)
  }
}

/** What was given, as the API wants it. The API itself says what is wrong with a value. */
export function valuesOf(flags: Flag[], options: Record<string, unknown>): Record<string, unknown> {
  const missing = flags
    .filter((flag) => flag.required && options[keptAs(calledAs(flag))] === undefined)
    .map((flag) => `--${dashed(calledAs(flag))}`)
  if (missing.length) throw usage(`${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} required`)
  const values: Record<string, unknown> = {}
  for (const flag of flags) {
    const { name, kind, nullable } = flag
    const value = options[keptAs(calledAs(flag))]
    if (value === undefined) continue
    if (kind === 'pairs') values[name] = pairs(dashed(calledAs(flag)), value as string[])
    else if (kind === 'list') values[name] = nullable && String(value) === 'null' ? null : (value as string[]).flatMap(parts)
    else if (kind === 'number') values[name] = number(dashed(calledAs(flag)), String(value))
    else if (kind === 'boolean') values[name] = trueOrFalse(dashed(calledAs(flag)), String(value))
    else values[name] = nullable && value === 'null' ? null : text(String(value))
  }
  return values
}

const parts = (value: string): string[] =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

function trueOrFalse(flag: string, value: string): boolean {
  if (!isTrueOrFalse(value)) throw usage(`--${flag} takes true or false, not ${value}`)
  return value === 'true'
}

function number(flag: string, value: string): number {
  if (!/^-?\d+(\.\d+)?$/.test(value)) throw usage(`--${flag} must be a number, not ${value}`)
  return Number(value)
}

/**
 * What stands on a command line is in the process list and the history:
 * what is secret comes from standard input.
 */
export function text(value: string): string {
  if (value !== '-') return value
  if (taken) throw usage('Only one value can be read from standard input.')
  taken = true
  return readFileSync(0, 'utf8').replace(/\r?\n$/, '')
}
let taken = false

function file(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw usage(`Can’t read ${path} (${(error as NodeJS.ErrnoException).code}).`)
  }
}

export const literal = (value: string): boolean => value !== '-' && !value.startsWith('@')

export function split(flag: string, pair: string): [name: string, value: string] {
  const at = pair.indexOf('=')
  if (at < 1) throw usage(`--${flag} takes NAME=VALUE, not \`${pair}\``)
  return [pair.slice(0, at), pair.slice(at + 1)]
}

export function pairs(flag: string, list: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    list.map((pair) => {
      const [name, value] = split(flag, pair)
      return [name, value.startsWith('@') ? file(value.slice(1)) : text(value)]
    }),
  )
}
