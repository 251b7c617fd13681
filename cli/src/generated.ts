// Every operation as a command, made from the contract's tables.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { declaration, type OperationId, paths, queried, route } from '@adjoin/contract'
import type { Command } from 'commander'
import * as z from 'zod'
import type { Context, Flags } from './context.ts'
import { addFlags, flagsOf, given } from './flags.ts'
import { print } from './output.ts'
import { resources, words } from './words.ts'

type Call = (...args: object[]) => Promise<unknown>

/** Path parameters that the context knows; the others are arguments. */
const KNOWN = ['orgSlug', 'workspaceSlug']
const names = (id: OperationId) => [...route(id)[1].matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)

export function addGenerated(program: Command, contextOf: (flags: Flags) => Context): void {
  for (const id of Object.keys(paths) as OperationId[]) {
    const command = words[id]
    if (!command) continue
    const [resource, verb] = command.split(' ')
    const parent = verb
      ? (program.commands.find((known) => known.name() === resource) ?? program.command(resource!).description(resources[resource!] ?? ''))
      : program
    add(parent.command(verb ?? resource!), id, contextOf)
  }
}

function add(command: Command, id: OperationId, contextOf: (flags: Flags) => Context): void {
  const { summary, description, query, body } = declaration(id)
  const wanted = names(id).filter((name) => !KNOWN.includes(name))
  command.description(summary)
  if (description) command.addHelpText('after', `\n${description}`)
  command.addHelpText('after', `\nExample:\n  ${example(id, wanted)}\n\nAPI: ${paths[id]}`)
  for (const name of wanted) command.argument(`<${name}>`)
  const queryFlags = flagsOf(query)
  const bodyFlags = flagsOf(body)
  addFlags(command, [...queryFlags, ...bodyFlags])
  if (id === 'exportAuditLogs') command.option('--output <file>', 'write to a file instead of standard output')
  command.action(async (...args: unknown[]) => {
    const context = contextOf(command.optsWithGlobals())
    const options = command.opts()
    const params = { ...place(id, context), ...Object.fromEntries(wanted.map((name, i) => [name, args[i]])), ...given(queryFlags, options) }
    const answer = await (context.client[id] as Call)(...argumentsOf(id, params, body && bodyOf(body, given(bodyFlags, options))))
    if (answer instanceof Response) await stream(answer, options.output as string | undefined)
    else print(answer, context.json)
  })
}

const place = (id: OperationId, context: Context) => ({
  ...(names(id).includes('orgSlug') && { orgSlug: context.org() }),
  ...(names(id).includes('workspaceSlug') && { workspaceSlug: context.workspace() }),
})

/** Provider fields are the body itself; other bodies hold their fields by name. */
const bodyOf = (schema: z.ZodType, values: Record<string, unknown>) => (schema instanceof z.ZodRecord ? (values.field ?? {}) : values)

const argumentsOf = (id: OperationId, params: object, body: unknown): object[] => [
  ...(route(id)[1].includes('{') || queried.has(id) ? [params] : []),
  ...(body ? [body as object] : []),
]

/** An export goes where it is asked to, as it comes: its size does not matter. */
async function stream(answer: Response, file: string | undefined): Promise<void> {
  if (answer.status === 302) return print({ location: answer.headers.get('location') }, false)
  const { createWriteStream } = await import('node:fs')
  await pipeline(Readable.fromWeb(answer.body as never), file ? createWriteStream(file, { mode: 0o600 }) : process.stdout, {
    end: file !== undefined,
  })
}

function example(id: OperationId, wanted: string[]): string {
  const required = flagsOf(declaration(id).body).filter((flag) => flag.required)
  const flags = required.map(({ name, kind }) => ` --${name.replace(/([A-Z])/g, '-$1').toLowerCase()} ${kind === 'number' ? '7' : 'VALUE'}`)
  return `adjoin ${words[id]}${wanted.map((name) => ` ${name.toUpperCase()}`).join('')}${flags.join('')}`
}
