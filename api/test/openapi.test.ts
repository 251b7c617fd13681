import { accessOf, declaration, groups, type OperationId, operationIds, route } from '@adjoin/contract'
import { openApi } from '@adjoin/contract/openapi'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HeardExchange, listen } from './answers.ts'
import { calls } from './calls.ts'
import { type RecordingOperation, recordingOperations } from './recording-operations.ts'
import { createSuite, type Suite } from './suite.ts'
import { request } from './world.ts'

type JsonObject = Record<string, unknown>
interface OpenApiOperation {
  operationId: OperationId
  summary: string
  description: string
  tags: string[]
  security?: JsonObject[]
  parameters: { name: string; in: string; required: boolean; schema: JsonObject }[]
  requestBody?: { required: boolean; content: Record<string, { schema: JsonObject }> }
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: JsonObject }> }>
}
interface OpenApiJson extends JsonObject {
  info: { version: string }
  servers: { url: string }[]
  security: JsonObject[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, OpenApiOperation>>
  webhooks: Record<string, { post: EventItem }>
  components: {
    schemas: Record<string, JsonObject>
    responses: Record<string, OpenApiOperation['responses'][string]>
    securitySchemes: JsonObject
  }
}

let suite: Suite
let document: OpenApiJson
beforeAll(async () => {
  suite = await createSuite()
  document = (await suite.world.client().getOpenApi()) as OpenApiJson
})
afterAll(() => suite.stop())

const operation = (id: OperationId): OpenApiOperation => {
  const [method, path] = route(id)
  return document.paths[path]![method.toLowerCase()]!
}
const pointer = (...parts: string[]) => `#/${parts.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`

/** Every object in the document, with the way to it. */
function* walk(value: unknown, at = '#'): Generator<[string, JsonObject]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [at, value as JsonObject]
  for (const [key, child] of Object.entries(value)) yield* walk(child, `${at}/${key}`)
}

describe('the description of the API', () => {
  it('names first where it is served', () => {
    const served = (url?: string) => (openApi(url) as OpenApiJson).servers.map((server) => server.url)
    expect(served('https://adjoin.agency.example')).toEqual(['https://adjoin.agency.example', 'http://localhost:3000'])
    expect(served('http://localhost:3001')).toEqual(['http://localhost:3001', 'https://adjoin.example'])
    expect(served()).toEqual(['https://adjoin.example', 'http://localhost:3000'])
  })

  it('is OpenAPI 3.1, of version 0.1.0, with the nine groups, two servers and three ways in', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '0.1.0', license: { identifier: 'Apache-2.0' } } })
    expect(document.tags.map(({ name }) => name)).toEqual(Object.keys(groups))
    expect(document.tags).toHaveLength(9)
    expect(document.servers.map(({ url }) => url)).toEqual(['http://localhost:3000', 'https://adjoin.example'])
    expect(document.security).toEqual([{ bearer: [] }, { apiKey: [] }])
    expect(document.components.securitySchemes).toMatchObject({
      cookie: { type: 'apiKey', in: 'cookie', name: 'adjoin_session' },
      bearer: { type: 'http', scheme: 'bearer' },
      apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
    })
  })

  it.each(operationIds)('documents %s', (id) => {
    const { operationId, summary, description, tags, security, parameters, responses } = operation(id)
    expect(operationId).toBe(id)
    expect(summary && description && tags.length === 1 && tags[0]! in groups).toBe(true)
    const inPath = parameters.filter((parameter) => parameter.in === 'path')
    expect(inPath.map(({ name }) => `{${name}}`)).toEqual(route(id)[1].match(/\{\w+\}/g) ?? [])
    expect(inPath.every(({ required }) => required)).toBe(true)
    const { preview, empty, constant } = declaration(id)
    expect(Object.keys(responses).filter((status) => Number(status) < 400)).toHaveLength((preview && empty) || constant ? 2 : 1)
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['400', '500', '503']))
    const row = accessOf(id)
    const keys = row !== null && [row.userKey, row.organizationKey, row.workspaceKey].some((least) => least !== '-')
    const sessions = row !== null && row.session !== '-'
    const expected = !row ? [] : !keys ? [{ cookie: [] }, { bearer: [] }] : sessions ? undefined : [{ apiKey: [] }]
    expect(security).toEqual(expected)
    if (row) expect(responses).toHaveProperty('401')
  })

  it('describes no operation that is not in the contract', () => {
    const described = Object.values(document.paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId))
    expect(described.sort()).toEqual([...operationIds].sort())
  })

  it('refers only to what it holds, and holds nothing that is not referred to', () => {
    const held = ['schemas', 'responses', 'headers'].flatMap((kind) =>
      Object.keys(document.components[kind as 'schemas']).map((name) => `#/components/${kind}/${name}`),
    )
    const referred = new Set([...walk(document)].flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref] : [])))
    expect([...referred].filter((name) => !held.includes(name))).toEqual([])
    expect(held.filter((name) => !referred.has(name))).toEqual([])
  })

  it('has schemas that are valid JSON Schema, and answers that may grow', () => {
    const ajv = validator()
    for (const name of Object.keys(document.components.schemas))
      expect(() => ajv.getSchema(`adjoin#/components/schemas/${name}`)).not.toThrow()
    const closed = operationIds.flatMap((id) =>
      [...walk(operation(id).responses)].filter(([, part]) => part.additionalProperties === false),
    )
    expect(closed).toEqual([])
  })

  it('keeps its operation ids and schema names: they are promises (if you only added some, run this file with -u)', async () => {
    const names = [
      '# Operation ids and schema names are stable identifiers: a line that goes or changes breaks somebody’s program.',
      ...operationIds.map((id) => `operation ${id} = ${route(id).join(' ')}`).sort(),
      ...Object.keys(document.components.schemas).map((name) => `schema ${name}`),
      ...Object.entries(document.webhooks).map(([type, { post }]) => `event ${type}: ${dataOf(post)}`),
    ]
    await expect(`${names.join('\n')}\n`).toMatchFileSnapshot('openapi-names.txt')
  })
})

/** What the data of an event has at least: a promise as well. */
const dataOf = (post: EventItem) => post.requestBody.content['application/json'].schema.allOf[1]!.properties!.data.required.join(', ')
interface EventItem {
  requestBody: { content: { 'application/json': { schema: { allOf: { properties?: { data: { required: string[] } } }[] } } } }
}

const FORMATS: Record<string, RegExp> = {
  date: /^\d{4}-\d\d-\d\d$/,
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  email: /^[^\s@]+@[^\s@]+$/,
}

/** Strict: a keyword or format that JSON Schema does not know is an error, not something to skip. */
function validator() {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true, formats: FORMATS })
  ajv.addVocabulary(['openapi', 'info', 'servers', 'security', 'tags', 'paths', 'webhooks', 'components'])
  ajv.addSchema(document, 'adjoin', false, false)
  return ajv
}

describe('every answer is as described', () => {
  let ajv: ReturnType<typeof validator>
  let heard: ReturnType<typeof listen>
  beforeAll(() => {
    ajv = validator()
    heard = listen(suite.world.url)
  })
  afterAll(() => heard.stop())

  const validate = (at: string, value: unknown, what: string) => {
    const check = ajv.getSchema(`adjoin${at}`)!
    expect(check(value), `${what}: ${ajv.errorsText(check.errors)}`).toBe(true)
  }

  function judge({ operation: id, method, url, status, headers, text, sent }: HeardExchange): void {
    const what = `${method} ${new URL(url).pathname} → ${status}`
    expect(id, what).toBeDefined()
    const [verb, path] = route(id!)
    const { responses, requestBody } = operation(id!)
    const passedOn = (headers.get('adjoin-answer') ?? 'adjoin') !== 'adjoin'
    const described = responses[passedOn ? 'default' : status]
    expect(described, `${what} is not described`).toBeDefined()
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('cache-control')).toBe(declaration(id!).constant && status === 200 ? 'no-cache' : 'no-store')
    if (passedOn) return // the ad system's own words
    const at = described!.$ref ?? pointer('paths', path, verb.toLowerCase(), 'responses', String(status))
    const { content } = described!.$ref ? document.components.responses[described!.$ref.split('/').at(-1)!]! : described!
    const type = headers.get('content-type')?.split(';')[0]
    expect(type ?? 'nothing', what).toBe(content ? Object.keys(content).find((one) => one === type) : 'nothing')
    if (type === 'application/x-ndjson')
      for (const line of text.trimEnd().split('\n')) validate('#/components/schemas/AuditEntry', JSON.parse(line), what)
    else if (type?.endsWith('json'))
      validate(`${at}/content/${type.replaceAll('/', '~1').replaceAll('+', '%2B')}/schema`, JSON.parse(text), what)
    if (status === 201) {
      const { location: read } = declaration(id!)
      const readable = read ? expect.stringMatching(new RegExp(`^${route(read)[1].replace(/\{\w+\}/g, '[^/]+')}$`)) : null
      expect(headers.get('location'), what).toEqual(readable)
    }
    if (status < 300 && sent !== undefined && requestBody)
      validate(`${pointer('paths', path, verb.toLowerCase(), 'requestBody', 'content', 'application/json')}/schema`, JSON.parse(sent), what)
  }
  const judged = (id: OperationId) => {
    const exchanges = heard.exchanges.splice(0)
    for (const exchange of exchanges) judge(exchange)
    return exchanges.filter((exchange) => exchange.operation === id).map(({ status }) => status)
  }

  it.each(Object.keys(recordingOperations) as RecordingOperation[])('%s, done and refused', async (id) => {
    const { run, refused } = await recordingOperations[id](await suite.tenant())
    await run()
    await Promise.resolve(refused()).catch(() => {})
    const statuses = judged(id)
    expect(statuses.some((status) => status < 400)).toBe(true)
    if (!declaration(id).redirect) expect(statuses.some((status) => status >= 400)).toBe(true)
  })

  it.each(Object.keys(calls) as (keyof typeof calls)[])('%s', async (id) => {
    const call = await calls[id](await suite.tenant())
    await call()
    expect(judged(id).some((status) => status < 400)).toBe(true)
  })

  const nobody = '00000000-0000-4000-8000-000000000000'
  /** A path whose every parameter names something that does not exist, or is not for this caller. */
  const elsewhere = (id: OperationId) =>
    route(id)[1]
      .replace('{orgSlug}', 'somebody-elses')
      .replace('{workspaceSlug}', 'nowhere')
      .replace('{provider}', id === 'getProvider' ? 'google_ads' : 'microsoft')
      .replace('{userCode}', 'BCDFGHJK')
      .replace(/\{(id|userId)\}/g, nobody)
      .replace(/\{\w+\}/g, 'x'.repeat(43))

  it.each(operationIds)('%s, asked by nobody, by a stranger, with nonsense and with a word too many', async (id) => {
    const [method] = route(id)
    const url = `${suite.world.url}${elsewhere(id)}`
    const { authorization } = (await suite.world.person()).headers as { authorization: string }
    const body = (value: unknown) =>
      method === 'GET' || method === 'DELETE' ? {} : { body: JSON.stringify(value), headers: { 'content-type': 'application/json' } }
    const ask = (headers: Record<string, string>, sent: unknown, query = '') => {
      const { headers: more, ...rest } = body(sent) as { headers?: Record<string, string> }
      return request(`${url}${query}`, { method, ...rest, headers: { ...headers, ...more } })
    }
    await ask({}, {})
    await ask({ authorization }, {})
    await ask({ authorization }, { nonsense: '<script>alert(1)</script>' })
    // A body that is no JSON is refused as such also where none was asked for.
    if (method !== 'GET') await request(url, { method, body: 'text', headers: { authorization, 'content-type': 'text/plain' } })
    if (method !== 'GET')
      await request(url, { method, body: 'x'.repeat(70_000), headers: { authorization, 'content-type': 'application/json' } })
    await ask({ authorization }, {}, '?%3Cscript%3E=%3Cscript%3Ealert(1)%3C/script%3E')
    for (const exchange of heard.exchanges)
      if (exchange.status >= 400) expect(exchange.headers.get('content-type')).toBe('application/problem+json')
    judged(id)
  })

  it('of a page never holds what was asked for', async () => {
    const hostile = '"><script>alert(1)</script>'
    for (const path of ['/', '/error', '/signin', '/nowhere', '/v1/nowhere', '/connect/x']) {
      const { text, headers } = await request(`${suite.world.url}${path}?code=${encodeURIComponent(hostile)}`, {
        headers: { accept: 'text/html' },
      })
      expect(text).not.toContain('<script>alert')
      if (headers.get('content-type')?.startsWith('text/html'))
        expect(headers.get('content-security-policy')).toContain("script-src 'self'")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
    heard.exchanges.length = 0
  })
})
