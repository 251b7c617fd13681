import type { Output } from '@adjoin/contract/operations'
import type { CatalogueProvider, IntegrationParams } from './api.ts'
import type { Option } from './design/choice.tsx'
import type { Tone } from './design/notice.tsx'
import type { Integration } from './integration-words.ts'

export type CallMode = Integration['callPolicy']['mode']
export type IntegrationCall = Output<'listIntegrationCalls'>['calls'][number]

/** What programs may do through a connection, with what follows from it. */
export const modes: Option<CallMode>[] = [
  { value: 'off', label: 'Off', help: 'Programs can’t use this connection.' },
  {
    value: 'read',
    label: 'Read only',
    help: 'Programs can read reports and settings through this connection. They can’t change anything.',
  },
  {
    value: 'full',
    label: 'Read and change',
    help: 'Programs can also change campaigns, budgets and settings through this connection. Viewers’ keys can still only read.',
  },
]

/** Why calls are refused whatever the policy says; undefined where they are not. */
export function whyNotCallable({ status, providerName, connectedAt }: Integration): string | undefined {
  if (status === 'disabled') return 'Calls are refused while this integration is disabled.'
  if (status === 'pending' || !connectedAt) return `Calls work as soon as your client has connected ${providerName}.`
  if (status === 'error') return 'Calls are refused until the connection works again.'
  return undefined
}

type Ending = { words: string; tone: Tone | 'quiet' }
const endings: Record<NonNullable<IntegrationCall['outcome']>, Ending> = {
  ok: { words: 'Done', tone: 'good' },
  failed: { words: 'Failed', tone: 'bad' },
  throttled: { words: 'Rate limited', tone: 'warn' },
  credential_refused: { words: 'Access rejected', tone: 'bad' },
  unreachable: { words: 'Not reached', tone: 'warn' },
  timeout: { words: 'Timed out', tone: 'warn' },
  canceled: { words: 'Canceled by the caller', tone: 'quiet' },
}
/** No call runs longer: one without an outcome was cut off before anybody could note how it ended. */
const LONGEST_MS = 15 * 60_000

export function endingOf({ outcome, status, at }: Pick<IntegrationCall, 'outcome' | 'status' | 'at'>, now = Date.now()): Ending {
  if (!outcome) return { words: now - new Date(at).getTime() < LONGEST_MS ? 'In progress' : 'Outcome unknown', tone: 'quiet' }
  const { words, tone } = endings[outcome]
  return { words: outcome === 'failed' && status ? `${words} with ${status}` : words, tone }
}

/** `body` is JSON, or the text of some. */
export type CallExample = { title: string; method: string; path: string; body?: unknown; effect?: 'read' | 'change' }

export const isCallable = ({ gateway }: CatalogueProvider): boolean => gateway !== null
export const examplesOf = ({ gateway }: CatalogueProvider): CallExample[] => gateway?.examples ?? []

/** GET never changes anything; of the others only those are known that an example is for. */
export const isKnownRead = (examples: CallExample[], { method, path }: { method: string; path: string }): boolean =>
  method === 'GET' ||
  examples.some((each) => each.effect === 'read' && each.method === method && withoutQuery(each.path) === withoutQuery(path.trim()))
const withoutQuery = (path: string) => path.split('?', 1)[0]

const GENERIC: CallExample = { title: '', method: 'GET', path: 'PATH' }
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
const textOf = ({ body }: CallExample) => (body == null ? undefined : typeof body === 'string' ? compact(body) : JSON.stringify(body))
const bodyOf = (example: CallExample) => {
  const text = textOf(example)
  return text === undefined ? [] : [`-d ${quoted(text)}`]
}
/** On one line, if it is JSON. */
const compact = (text: string) => {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}

export const curlTo = ({ orgSlug, workspaceSlug, id }: IntegrationParams, origin: string, example = GENERIC): string => {
  const url = `${origin}/v1/organizations/${orgSlug}/workspaces/${workspaceSlug}/integrations/${id}/proxy/${example.path}`
  const body = bodyOf(example)
  return [
    `curl ${example.method === 'GET' ? '' : `-X ${example.method} `}${quoted(url)}`,
    '-H "x-api-key: $ADJOIN_API_KEY"',
    ...(body.length ? ["-H 'content-type: application/json'", ...body] : []),
  ].join(' \\\n  ')
}

export const cliTo = ({ orgSlug, workspaceSlug, id }: IntegrationParams, example = GENERIC): string => {
  const body = bodyOf(example)
  const usual = body.length ? 'POST' : 'GET'
  return [
    `adjoin api ${id} ${quoted(example.path)}`,
    `--org ${orgSlug} --workspace ${workspaceSlug}`,
    ...(example.method === usual ? [] : [`-X ${example.method}`]),
    ...body,
  ].join(' \\\n  ')
}

export const typescriptTo = ({ orgSlug, workspaceSlug, id }: IntegrationParams, origin: string, example = GENERIC): string => {
  const text = textOf(example)
  const literal = (value: string) => (value.includes("'") ? JSON.stringify(value) : quoted(value))
  const init = [
    ...(example.method === 'GET' ? [] : [`  method: '${example.method}',`]),
    ...(text === undefined ? [] : ["  headers: { 'content-type': 'application/json' },", `  body: ${literal(text)},`]),
  ]
  return [
    "import { createClient } from '@adjoin/contract/client'",
    '',
    `const client = createClient({ url: '${origin}', headers: { 'x-api-key': process.env.ADJOIN_API_KEY! } })`,
    `const integration = client.integration({ org: '${orgSlug}', workspace: '${workspaceSlug}', id: '${id}' })`,
    `const answer = await integration.fetch(${literal(example.path)}${init.length ? `, {\n${init.join('\n')}\n}` : ''})`,
    'console.log(answer.status, await answer.json())',
  ].join('\n')
}
