// Command-line flags from the contract's schemas: `graceHours` becomes `--grace-hours <integer>`.
import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import * as z from 'zod'
import { usage } from './failure.ts'

export interface Flag {
  readonly name: string
  readonly required: boolean
  readonly kind: 'text' | 'number' | 'boolean' | 'pairs'
  readonly help: string
}

type Json = {
  type?: string | string[]
  enum?: string[]
  description?: string
  default?: unknown
  minimum?: number
  maximum?: number
  anyOf?: Json[]
}

/** The fields of an object schema; of a union, the fields of all its branches, none of them required. */
export function flagsOf(schema: z.ZodType | undefined): Flag[] {
  if (!schema) return []
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return flagsOf(schema.unwrap() as z.ZodType).map((flag) => ({ ...flag, required: false }))
  if (schema instanceof z.ZodUnion) {
    const all = (schema.options as z.ZodType[]).flatMap(flagsOf)
    return [...new Map(all.map((flag) => [flag.name, { ...flag, required: false }])).values()]
  }
  if (schema instanceof z.ZodRecord)
    return [
      {
        name: 'field',
        required: false,
        kind: 'pairs',
        help: 'NAME=VALUE, NAME=@FILE, or NAME=- to read it from standard input; repeat for more',
      },
    ]
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries(schema.shape).map(([name, field]) => flagOf(name, field as z.ZodType))
}

function flagOf(name: string, field: z.ZodType): Flag {
  const json = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' }) as Json
  const types = [json, ...(json.anyOf ?? [])].flatMap((one) => one.type ?? [])
  const kind = types.includes('object')
    ? 'pairs'
    : types.includes('boolean')
      ? 'boolean'
      : types.includes('integer') || types.includes('number')
        ? 'number'
        : 'text'
  const range = json.minimum !== undefined && json.maximum !== undefined ? `${json.minimum} to ${json.maximum}` : undefined
  const notes = [json.description, json.enum?.join(' | '), range, json.default !== undefined && `default ${json.default}`].filter(Boolean)
  return { name, required: !field.safeParse(undefined).success, kind, help: notes.join('; ') || words(name) }
}

const words = (name: string) => name.replace(/([A-Z])/g, ' $1').toLowerCase()
export const dashed = (name: string) => name.replace(/([A-Z])/g, '-$1').toLowerCase()

export function addFlags(command: Command, flags: Flag[]): void {
  for (const { name, required, kind, help } of flags) {
    const text = `--${dashed(name)}${kind === 'boolean' ? ' [true|false]' : kind === 'number' ? ' <number>' : kind === 'pairs' ? ' <name=value...>' : ' <text>'}`
    command.option(text, required ? `${help} (required)` : help)
  }
}

/** What was given, as the API wants it. The API itself says what is wrong with a value. */
export function given(flags: Flag[], options: Record<string, unknown>): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const { name, kind, required } of flags) {
    const value = options[name]
    if (value === undefined) {
      if (required) throw usage(`--${dashed(name)} is required`)
    } else if (kind === 'pairs') values[name] = pairs(value as string[])
    else if (kind === 'number') values[name] = number(name, String(value))
    else values[name] = kind === 'boolean' ? value === true || value === 'true' : value === 'null' ? null : value
  }
  return values
}

function number(name: string, text: string): number {
  if (!/^-?\d+(\.\d+)?$/.test(text)) throw usage(`--${dashed(name)} must be a number`)
  return Number(text)
}

/** Secrets belong into a file or standard input: what stands on a command line is in the process list and the history. */
function pairs(list: string[]): Record<string, string> {
  return Object.fromEntries(
    list.map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1) throw usage(`--field takes NAME=VALUE, not \`${pair}\``)
      const value = pair.slice(at + 1)
      const read =
        value === '-'
          ? readFileSync(0, 'utf8').replace(/\r?\n$/, '')
          : value.startsWith('@')
            ? readFileSync(value.slice(1), 'utf8').replace(/\r?\n$/, '')
            : value
      return [pair.slice(0, at), read]
    }),
  )
}
