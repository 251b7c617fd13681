import { call, declaration, type OperationId, type ProviderId, paths, route } from '@adjoin/contract'
import { type AddHelpTextContext, type Command, Help } from 'commander'
import * as z from 'zod'
import { confirmDeletion, type DeleteFlags } from './confirm.ts'
import type { Context, Flags } from './context.ts'
import { example } from './examples.ts'
import { EXIT } from './failure.ts'
import { addFlags, flagsOf, text, valuesOf } from './flags.ts'
import { sayNext } from './next-step.ts'
import { print } from './output.ts'
import { providerFields } from './provider-fields.ts'
import { note } from './terminal.ts'
import { resources, words } from './words.ts'
import { writeBody } from './write-body.ts'

const GLOBAL = ['org', 'workspace', 'url', 'json']
/** Path parameters that the context knows; the others are arguments. */
const KNOWN = ['orgSlug', 'workspaceSlug']
/** What an argument is, where its name alone does not say it. */
const MEANING: Record<string, string> = {
  token: 'the last part of the link; `-` reads it from standard input, which keeps it out of the shell history',
  result: 'the last part of the address the client landed on; `-` reads it from standard input',
  userCode: 'the code shown on the device',
  userId: 'see `adjoin members list`',
  deliveryId: 'see `adjoin webhooks deliveries`',
  itemId: 'see `adjoin connect-links request`',
}
/** Ids are found in a list: mostly that of the same resource. */
const LISTED: Partial<Record<OperationId, string>> = {
  acceptInvitation: 'me invitations',
  declineInvitation: 'me invitations',
  cancelWorkspaceInvitation: 'workspaces invitations',
  resendWorkspaceInvitation: 'workspaces invitations',
  getProvider: 'providers list',
}
function meaningOf(id: OperationId, name: string): string {
  if (name === 'provider' && !LISTED[id]) return '`google` or `microsoft`'
  return MEANING[name] ?? `see \`adjoin ${LISTED[id] ?? `${words[id]!.split(' ')[0]} list`}\``
}
/** Made by hand, and about an organization. */
const BY_HAND = ['status', 'connect', 'api', 'usage', 'accounts', 'events', 'webhooks listen', 'requests create', 'completion values']

/** Whether a command, such as `keys list`, asks for the organization. */
export const takesOrganization = (path: string): boolean =>
  BY_HAND.includes(path) || (Object.keys(paths) as OperationId[]).some((id) => words[id] === path && names(id).includes('orgSlug'))

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
  if (description) command.addHelpText('after', (context) => `\n${wrapped(description, context)}`)
  command.addHelpText('after', (context) => `\nExample:\n${continued(example(id, wanted), widthOf(context))}\n\nAPI: ${paths[id]}`)
  for (const name of wanted) command.argument(`<${name}>`, meaningOf(id, name))
  const queryFlags = flagsOf(query, id)
  const bodyFlags = flagsOf(body, id)
  // A filter that shares its name with a global flag (`--workspace`)
  // is that flag, where it was given for this command.
  addFlags(command, [...queryFlags.filter(({ name }) => !GLOBAL.includes(name)), ...bodyFlags])
  if (id === 'deleteWorkspace') command.option('--yes', 'do not ask for confirmation')
  if (id === 'verifyIntegration') command.option('--exit-code', 'exit with 1 unless it is active afterwards')
  if (id === 'exportAuditLogs') command.option('--output <file>', 'write to a file instead of standard output')
  command.action(async (...args: unknown[]) => {
    const options = command.optsWithGlobals()
    const context = contextOf(options)
    if (id === 'deleteWorkspace') await confirmDeletion(options as DeleteFlags)
    const named = Object.fromEntries(wanted.map((name, i) => [name, text(String(args[i]))]))
    const params = { ...scopeParams(id, context), ...named, ...valuesOf(queryFlags, options) }
    const sent =
      body instanceof z.ZodRecord
        ? await fieldsOf(context, id, params, options.field as string[] | undefined)
        : body && valuesOf(bodyFlags, options)
    const answer = await callOperation(context, id, params, sent)
    if (answer instanceof Response) await stream(answer, options.output as string | undefined, context.json)
    else print(answer, context.json || id === 'getOpenApi')
    if (!context.json) sayNext(id, answer)
    if (options.exitCode && (answer as { status?: string }).status !== 'active') process.exitCode = EXIT.attention
  })
}

const widthOf = ({ command }: AddHelpTextContext) => command.configureOutput().getOutHelpWidth?.() ?? 80
const wrapped = (text: string, context: AddHelpTextContext) => new Help().boxWrap(text, widthOf(context))

/** A long command goes on in the next line, as a shell takes it: broken before an option. */
function continued(line: string, width: number): string {
  const rows = ['']
  for (const part of line.split(/ (?=--)/)) {
    const longer = `${rows.at(-1) || ' '} ${part}`
    if (rows.at(-1) && longer.length + 2 > width) rows.push(`    ${part}`)
    else rows[rows.length - 1] = longer
  }
  return rows.join(' \\\n')
}

/** Whoever rotates the key they are logged in with stays logged in. */
async function callOperation(
  context: Context,
  id: OperationId,
  params: Record<string, unknown>,
  body: object | undefined,
): Promise<unknown> {
  const { client, saveKey } = context
  const own = id === 'rotateApiKey' && saveKey ? (await client.getCurrentApiKey()).id : undefined
  const answer = await call(client, id, { params, body })
  if (own !== undefined && own === params.id) {
    saveKey!((answer as { key: string }).key)
    note`You are signed in with this key, so its replacement was saved for your next commands.\n`
  }
  return answer
}

/** Which fields, and which of them are secret, the provider says. */
async function fieldsOf({ client }: Context, id: OperationId, params: Record<string, unknown>, list: string[] | undefined) {
  if (/^(start|submit)ConnectItem/.test(id)) {
    const { request } = await client.getPublicConnectRequest({ token: String(params.token) })
    const item = request?.items.find((one) => one.id === params.itemId)
    return item ? providerFields(item.provider, list) : {} // the service says what is wrong
  }
  if (id !== 'submitIntegrationCredentials') return providerFields((await client.getConnectLink(params as never)).provider, list)
  const { provider } = await client.getIntegration(params as never)
  return providerFields(await client.getProvider({ provider: provider as ProviderId }), list)
}

const scopeParams = (id: OperationId, context: Context) => ({
  ...(names(id).includes('orgSlug') && { orgSlug: context.org() }),
  ...(names(id).includes('workspaceSlug') && { workspaceSlug: context.workspace() }),
})

async function stream(answer: Response, file: string | undefined, json: boolean): Promise<void> {
  if (answer.status === 302) return print({ location: answer.headers.get('location') }, json)
  await writeBody(answer, file)
}
