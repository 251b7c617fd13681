// What the document says about every field, header and body. It needs no service: the document is made from the contract alone.
import { declaration, type OperationId, operationIds, route } from '@adjoin/contract'
import { openApi } from '@adjoin/contract/openapi'
import { described } from '@adjoin/contract/openapi/fields'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'

interface JsonObject {
  [key: string]: JsonObject
}
const document = openApi() as unknown as JsonObject
const { schemas, responses, headers } = document.components as Record<'schemas' | 'responses' | 'headers', JsonObject>
const operations = Object.values(document.paths!).flatMap((item) => Object.values(item))
const deliveries = Object.values(document.webhooks!).flatMap((item) => Object.values(item))

/** Every object in a part of the document, with the way to it. */
function* walk(value: unknown, at: string): Generator<[string, JsonObject]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [at, value as JsonObject]
  for (const [key, child] of Object.entries(value)) if (!/^examples?$/.test(key)) yield* walk(child, `${at}/${key}`)
}

/** Every schema of the document, with the fields that it has. */
const fields = [...walk(document, '#')].flatMap(([at, { properties, type }]) =>
  properties && typeof type !== 'object' ? Object.entries(properties).map(([name, field]) => ({ at: `${at}/${name}`, name, field })) : [],
)
const parameters = [...operations, ...deliveries].flatMap((one) =>
  (one.parameters as unknown as JsonObject[]).map((each) => ({ of: one.operationId, each })),
)

describe('the document says what it is about', () => {
  it('in a description for every field, parameter, answer and header', () => {
    const silent = [
      ...fields.filter(({ field }) => !field.description).map(({ at }) => at),
      ...parameters.filter(({ each }) => !each.description).map(({ of, each }) => `${of} ${each.name}`),
      ...Object.entries(headers).flatMap(([name, { description }]) => (description ? [] : [`header ${name}`])),
      ...[...walk(document, '#')]
        .filter(([at]) => /\/(responses\/[^/]+|headers\/[^/]+)$/.test(at) && !at.includes('/schemas/'))
        .flatMap(([at, { description, $ref }]) => (description || $ref ? [] : [at])),
    ]
    expect(silent, 'a sentence is missing: in its schema, or in contract/src/openapi/*descriptions.ts').toEqual([])
  })

  it('and in no words about fields that are gone', () => {
    const text = JSON.stringify(document)
    const unused = Object.entries(described.descriptions).filter(([, words]) => !text.includes(JSON.stringify(words).slice(1, -1)))
    expect(unused).toEqual([])
    const names = new Set([...fields.map(({ name }) => name), ...parameters.map(({ each }) => String(each.name))])
    expect(Object.keys(described.samples).filter((key) => !names.has(key.split('.').at(-1)!))).toEqual([])
  })

  it('with what a refusal owes its reader: how to sign in, and how long to wait', () => {
    expect(responses.Refused401!.headers).toHaveProperty('WWW-Authenticate')
    for (const name of ['Refused429', 'Refused503']) expect(responses[name]!.headers).toHaveProperty('Retry-After')
  })
})

const FORMATS = {
  date: /^\d{4}-\d\d-\d\d$/,
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  email: /^[^\s@]+@[^\s@]+$/,
  uri: /^https:\/\//,
  'uri-reference': /^(https:\/)?\//,
  binary: true as const,
}
const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true, formats: FORMATS })
ajv.addVocabulary(['openapi', 'info', 'servers', 'security', 'tags', 'paths', 'webhooks', 'components'])
ajv.addSchema(document, 'adjoin', false, false)

const parts = (at: string) =>
  at.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('+', '%2B').replaceAll('*', '%2A').replaceAll('{', '%7B').replaceAll('}', '%7D')

interface Body {
  at: string
  media: JsonObject
}
const bodiesOf = (content: JsonObject | undefined, at: string): Body[] =>
  Object.entries(content ?? {}).map(([type, media]) => ({ at: `${at}/content/${parts(type)}`, media }))
const bodies: Body[] = [
  ...(['paths', 'webhooks'] as const).flatMap((kind) =>
    Object.entries(document[kind]!).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { requestBody, responses: answers }]) => [
        ...bodiesOf(requestBody?.content, `#/${kind}/${parts(path)}/${method}/requestBody`),
        ...Object.entries(answers!).flatMap(([status, { content }]) =>
          bodiesOf(content, `#/${kind}/${parts(path)}/${method}/responses/${status}`),
        ),
      ]),
    ),
  ),
  ...Object.entries(responses).flatMap(([name, { content }]) => bodiesOf(content, `#/components/responses/${name}`)),
]
const examplesOf = ({ example, examples }: JsonObject): unknown[] =>
  examples ? Object.values(examples).map(({ value }) => value) : example === undefined ? [] : [example]

describe('the examples', () => {
  it('are there for every body, and as the schemas say', () => {
    expect(bodies.length).toBeGreaterThan(200)
    const wrong = bodies.flatMap(({ at, media }) => {
      const check = ajv.getSchema(`adjoin${at}/schema`)!
      const values = examplesOf(media)
      if (!values.length) return [`${at}: none`]
      return values.flatMap((value) => (check(value) ? [] : [`${at}: ${ajv.errorsText(check.errors)}`]))
    })
    expect(wrong).toEqual([])
  })

  it.each(operationIds.filter((id) => declaration(id).body))('%s would be accepted as it is shown', (id) => {
    const shown = operations.find(({ operationId }) => String(operationId) === id)!.requestBody!.content!['application/json']!
    for (const value of examplesOf(shown)) expect(declaration(id).body!.safeParse(value).error, JSON.stringify(value)).toBeUndefined()
  })

  it('hold no secret, not even one that looks like it', () => {
    const text = JSON.stringify(bodies.map(({ media }) => examplesOf(media)))
    expect(text).not.toMatch(/adj_[0-9A-Za-z]{49}|whsec_[0-9A-Za-z+/]{20}|eyJ[\w-]{10}/)
  })

  it('of an answer that is replayed without what is shown once, are as its schema says, too', () => {
    for (const id of operationIds.filter((one) => declaration(one).shownOnce)) {
      const [status] = declaration(id).created ? ['201'] : ['200']
      const [method, path] = route(id)
      const at = `#/paths/${parts(path)}/${method.toLowerCase()}/responses/${status}/content/application~1json`
      const [whole] = examplesOf(bodies.find((one) => one.at === at)!.media) as [Record<string, unknown>]
      for (const field of declaration(id).shownOnce!) {
        expect(whole).toHaveProperty(field)
        delete whole[field]
      }
      expect(ajv.getSchema(`adjoin${at}/schema`)!(whole), id).toBe(true)
    }
  })
})

/** A schema and all that it refers to, each once. */
function reach(schema: JsonObject, at: string, found = new Map<string, JsonObject>()): Map<string, JsonObject> {
  for (const [where, part] of walk(schema, at)) {
    if (found.has(where)) continue
    found.set(where, part)
    const name = String(part.$ref ?? '')
      .split('/')
      .at(-1)!
    if (name && !found.has(name)) reach(schemas[name]!, name, found)
  }
  return found
}

describe('the document states the limits that are kept', () => {
  const requests = operations.flatMap((operation) => [
    ...Object.values(operation.requestBody?.content ?? {}).map((media) => ({ id: String(operation.operationId), schema: media.schema! })),
    ...(operation.parameters as unknown as JsonObject[]).map((each) => ({
      id: `${operation.operationId} ${each.name}`,
      schema: each.schema!,
    })),
  ])
  const has = (part: JsonObject, type: string) => [part.type].flat().map(String).includes(type)

  it('of every text and list in a request', () => {
    const endless = requests.flatMap(({ id, schema }) =>
      [...reach(schema, id)].flatMap(([at, part]) => {
        if (has(part, 'string') && !('maxLength' in part || 'enum' in part || 'const' in part)) return [at]
        return has(part, 'array') && !('maxItems' in part) ? [at] : []
      }),
    )
    expect([...new Set(endless)]).toEqual([])
  })

  it('of how often: 429 wherever somebody is counted', () => {
    const uncounted: OperationId[] = ['getHealth', 'getLiveness', 'getVersion', 'getOpenApi', 'verifySignIn', 'pollDeviceLogin']
    const without = operations
      .filter((one) => !one.responses!['429'] && !one.responses!['302'])
      .map(({ operationId }) => String(operationId))
    expect(without.sort()).toEqual(uncounted.sort())
  })
})

describe('`Location`', () => {
  it.each(operationIds.filter((id) => declaration(id).created))('of %s leads to something that can be read, or is not there', (id) => {
    const { location } = declaration(id)
    const told = operations.find(({ operationId }) => String(operationId) === id)!.responses!['201']!.headers!
    expect('Location' in told).toBe(location !== undefined)
    if (location) expect(route(location)[0]).toBe('GET')
  })
})
