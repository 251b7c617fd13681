import { type Command, factsOf } from '../data.ts'
import { isBrowserFlow, type ListedOperation } from '../document.ts'
import { type Filled, parsedBody, queryOf } from '../request.ts'
import { shellQuoted } from './curl.ts'

const word = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : shellQuoted(text))
const option = (name: string, value: string) => `--${name} ${word(value)}`

/** Commands that were made by hand: what they need of the request. */
const byHand: Record<string, (filled: Filled) => string[]> = {
  listEvents: ({ values }) => ['adjoin events', ...['after', 'types', 'limit'].flatMap((name) => optional(values, name))],
  listWorkspaceEvents: ({ values }) => ['adjoin events', ...['after', 'types', 'limit'].flatMap((name) => optional(values, name))],
  listIntegrationAccounts: ({ values }) => [`adjoin accounts ${word(values.id ?? '')}`],
  createConnectRequest: createRequest,
  ...Object.fromEntries(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [proxyId(method), (filled) => proxy(method, filled)])),
}

function proxyId(method: string): string {
  return `proxy${method.charAt(0)}${method.slice(1).toLowerCase()}`
}

const optional = (values: Filled['values'], name: string): string[] => (values[name] ? [option(name, values[name])] : [])

function proxy(method: string, { values, body }: Filled): string[] {
  const usual = body.trim() ? 'POST' : 'GET'
  return [
    `adjoin api ${word(values.id ?? '')} ${word(values.path ?? '')}`,
    ...(method === usual ? [] : [`-X ${method}`]),
    ...(body.trim() && method !== 'GET' ? [`-d ${shellQuoted(body.trim())}`] : []),
  ]
}

function createRequest(filled: Filled): string[] {
  const {
    items = [],
    title,
    clientEmail,
  } = (parsedBody(filled) ?? {}) as { items?: { provider?: string }[]; title?: string; clientEmail?: string }
  const systems = items.flatMap(({ provider }) => provider ?? []).join(' ')
  return [
    `adjoin requests create ${systems}`,
    ...(title ? [option('title', title)] : []),
    ...(clientEmail ? [option('client-email', clientEmail)] : []),
  ]
}

function flagged([flag, kind]: Command['flags'][string], value: unknown): string[] {
  if (kind === 'boolean') return [value === true || value === 'true' ? `--${flag}` : `--${flag} false`]
  if (kind === 'list') return value === null ? [option(flag, 'null')] : [option(flag, (Array.isArray(value) ? value : [value]).join(','))]
  if (kind === 'pairs') return Object.entries((value ?? {}) as object).map(([name, one]) => option(flag, `${name}=${one}`))
  return [option(flag, String(value))]
}

/** What is entered for an ad system is a secret, mostly: it is read from a file, and never stands on a command line. */
const fieldFlags = (body: object) =>
  Object.entries(body).map(([name, value]) =>
    /user|id$|region/i.test(name) ? option('field', `${name}=${value}`) : `--field ${name}=@${name}.txt`,
  )

function generated({ words, arguments: names, flags }: Command, entry: ListedOperation, filled: Filled): string[] {
  const body = (parsedBody(filled) ?? {}) as Record<string, unknown>
  const sent = [...queryOf(entry, filled), ...(flags.field ? [] : Object.entries(body))]
  const secret = names.some((name) => name === 'token' || name === 'result')
  return [
    ['adjoin', words, ...names.map((name) => (name === 'token' || name === 'result' ? '-' : word(filled.values[name] ?? '')))].join(' '),
    ...sent.flatMap(([name, value]) => (flags[name] ? flagged(flags[name], value) : [])),
    ...(flags.field ? fieldFlags(body) : []),
    ...(entry.operationId === 'deleteWorkspace' ? ['--yes'] : []),
    ...(secret ? ['< token.txt'] : []),
  ]
}

/** The same as a command; undefined where only a browser does it. */
export function cli(entry: ListedOperation, filled: Filled): string | undefined {
  const hand = byHand[entry.operationId]
  const { command } = factsOf(entry.operationId)
  if (isBrowserFlow(entry) || (!hand && !command)) return undefined
  const [first = '', ...rest] = hand ? hand(filled) : generated(command!, entry, filled)
  const { orgSlug, workspaceSlug } = filled.values
  const scope = [
    ...(entry.path.includes('{orgSlug}') && orgSlug ? [option('org', orgSlug)] : []),
    ...(entry.path.includes('{workspaceSlug}') && workspaceSlug ? [option('workspace', workspaceSlug)] : []),
  ]
  const redirect = rest.at(-1)?.startsWith('<') ? rest.pop() : undefined
  const parts = [first, ...(scope.length ? [scope.join(' ')] : []), ...rest]
  const line = [...parts, ...(redirect ? [redirect] : [])].join(' ')
  return line.length <= 90 ? line : `${parts.join(' \\\n  ')}${redirect ? ` ${redirect}` : ''}`
}
