import { type OperationId, takesBody, takesParams } from '@adjoin/contract/paths'
import { isPassedOn, type ListedOperation } from '../document.ts'
import { credentialOf, type Filled, headersOf, parsedBody, queryOf } from '../request.ts'

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
const keyOf = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name))

/** As people write it: on one line while it is short. */
export function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quoted(value)
  if (value === null || typeof value !== 'object') return String(value)
  const isList = Array.isArray(value)
  const deeper = `${indent}  `
  const parts = isList
    ? value.map((one) => literal(one, deeper))
    : Object.entries(value).map(([name, one]) => `${keyOf(name)}: ${literal(one, deeper)}`)
  if (!parts.length) return isList ? '[]' : '{}'
  const line = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`
  if (line.length + indent.length <= 76 && !line.includes('\n')) return line
  return `${isList ? '[' : '{'}\n${parts.map((part) => `${deeper}${part},`).join('\n')}\n${indent}${isList ? ']' : '}'}`
}

const HEADERS = {
  key: "{ 'x-api-key': process.env.ADJOIN_API_KEY! }",
  token: `{ authorization: \`Bearer \${process.env.ADJOIN_TOKEN}\` }`,
  none: undefined,
}

const NUMERIC = new Set(['integer', 'number'])

/** A number or a switch of the query, as the client's types want it. */
function typedValue({ parameters = [] }: ListedOperation, name: string, value: string): unknown {
  const schema = parameters.find((one) => one.name === name)?.schema
  const type = schema?.type
  return typeof type === 'string' && NUMERIC.has(type) && /^\d+$/.test(value) ? Number(value) : value
}

export function typescript(entry: ListedOperation, filled: Filled, server: string): string {
  const headers = HEADERS[credentialOf(entry)]
  const options = `{ url: ${quoted(server)}${headers ? `, headers: ${headers}` : ''} }`
  const begin = ["import { createClient } from '@adjoin/contract/client'", '', `const client = createClient(${options})`]
  return [...begin, ...(isPassedOn(entry) ? throughGateway(entry, filled) : byMethod(entry, filled))].join('\n')
}

function byMethod(entry: ListedOperation, filled: Filled): string[] {
  const id = entry.operationId as OperationId
  const inPath = [...entry.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name!, filled.values[name!] ?? ''] as const)
  const params = Object.fromEntries([...inPath, ...queryOf(entry, filled).map(([name, value]) => [name, typedValue(entry, name, value)])])
  const [idempotencyKey] = headersOf(entry, filled)
  const given = [
    ...(takesParams(id) ? [params] : []),
    ...(takesBody(id) ? [parsedBody(filled) ?? {}] : []),
    ...(idempotencyKey ? [{ idempotencyKey: idempotencyKey[1] }] : []),
  ]
  const call = `client.${id}(${given.map((one) => literal(one)).join(', ')})`
  if ('204' in entry.responses && !('200' in entry.responses)) return [`await ${call}`]
  if (entry.responses['200']?.content && !entry.responses['200'].content['application/json'])
    return [`const answer = await ${call}`, 'console.log(await answer.text())']
  return [`const answer = await ${call}`, 'console.log(answer)']
}

function throughGateway(entry: ListedOperation, { values, body }: Filled): string[] {
  const { orgSlug = '', workspaceSlug = '', id = '', path = '' } = values
  const sends = body.trim() !== '' && entry.method !== 'GET'
  const init = [
    ...(entry.method === 'GET' ? [] : [`  method: ${quoted(entry.method)},`]),
    ...(sends ? ["  headers: { 'content-type': 'application/json' },", `  body: ${quoted(body.trim())},`] : []),
  ]
  return [
    `const integration = client.integration(${literal({ org: orgSlug, workspace: workspaceSlug, id })})`,
    `const answer = await integration.fetch(${quoted(path)}${init.length ? `, {\n${init.join('\n')}\n}` : ''})`,
    'console.log(answer.status, await answer.json())',
  ]
}
