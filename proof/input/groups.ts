// The ways to spoil a good request, by group.
import type { ApiDescription, DescribedSchema } from './document.ts'
import type { Draft } from './draft.ts'
import { framings, headerLines, hostLines } from './header-lines.ts'
import type { Random } from './random.ts'
import { bodies, fragments, queries, segments, unicode, urls, words } from './texts.ts'

export interface Group {
  readonly name: string
  /** Absent: it can spoil any request. */
  readonly fits?: (draft: Draft) => boolean
  /** How often it is chosen beside the others, where it fits. */
  readonly weight?: number
  readonly spoil: (draft: Draft, random: Random, document: ApiDescription) => void
}

const hasBody = ({ operation }: Draft) => operation.body !== undefined
const URL_FIELDS = /^(returnUrl|callbackURL|iss|state|loginHint)$/

/** The fields a body may have, whichever of them the sample has. */
function fieldsOf(document: ApiDescription, schema: DescribedSchema): Record<string, DescribedSchema> {
  const { anyOf, oneOf = anyOf, properties = {} } = document.resolve(schema)
  return oneOf ? Object.assign({}, ...oneOf.map((one) => fieldsOf(document, one))) : properties
}

/** Puts a value, written as JSON, into a field. */
function put(draft: Draft, field: string, json: string): void {
  const mark = '@@'
  draft.body = JSON.stringify({ ...draft.value, [field]: mark }).replace(`"${mark}"`, () => json)
}

const anyField = (draft: Draft, random: Random, document: ApiDescription): string => {
  const names = Object.keys(fieldsOf(document, draft.operation.body!))
  return names.length && random.chance(0.85) ? random.pick(names) : random.pick(['apiKey', 'password', 'unknown', '__proto__', ''])
}
const escaped = (text: string) => encodeURIComponent(text.toWellFormed())
const queryNames = ({ operation }: Draft) => operation.parameters.filter((one) => one.in === 'query').map(({ name }) => name)
const setParam = (draft: Draft, random: Random, text: string) => {
  const names = Object.keys(draft.params)
  if (names.length) draft.params[random.pick(names)] = text
  else draft.path = `${draft.operation.path}/${text}`
}

export const groups: readonly Group[] = [
  {
    name: 'fields of a wrong type or size, missing or unknown',
    fits: hasBody,
    weight: 5,
    spoil(draft, random, document) {
      const field = anyField(draft, random, document)
      const { maxLength, maximum, minimum } = document.resolve(fieldsOf(document, draft.operation.body!)[field] ?? {})
      const edges = [
        ...(maxLength ? [JSON.stringify('é'.repeat(maxLength)), JSON.stringify('a'.repeat(maxLength + 1))] : []),
        ...(maximum === undefined ? [] : [String(maximum), String(maximum + 1)]),
        ...(minimum === undefined ? [] : [String(minimum), String(minimum - 1), `${minimum}.5`, `"${minimum}"`]),
      ]
      if (random.chance(0.15)) draft.value = Object.fromEntries(Object.entries(draft.value ?? {}).filter(([name]) => name !== field))
      else put(draft, field, random.pick([...edges, ...edges, ...fragments, ...words.map((word) => JSON.stringify(word))]))
    },
  },
  {
    name: 'addresses to be sent to',
    fits: (draft) => hasUrl(draft),
    weight: 10,
    spoil(draft, random, document) {
      const url = random.pick(urls)
      const inQuery = queryNames(draft).filter((name) => URL_FIELDS.test(name))
      const inBody = draft.operation.body
        ? Object.keys(fieldsOf(document, draft.operation.body)).filter((name) => URL_FIELDS.test(name))
        : []
      if (inQuery.length) draft.query.push(`${random.pick(inQuery)}=${random.chance(0.9) ? escaped(url) : url.replace(/[\s#\0]/g, '')}`)
      else put(draft, random.pick(inBody), JSON.stringify(url))
    },
  },
  {
    name: 'hosts, targets and forwarded headers',
    spoil(draft, random) {
      random.pick(hostLines)(draft, random)
      draft.raw = true
    },
  },
  {
    name: 'unicode, control characters and long text',
    spoil(draft, random, document) {
      const text = random.pick(unicode)
      const names = queryNames(draft)
      const where = random.pick(['body', 'path', 'query'])
      if (where === 'body' && draft.operation.body) put(draft, anyField(draft, random, document), JSON.stringify(text))
      else if (where === 'path') setParam(draft, random, escaped(text.slice(0, 5000)) || '%20')
      else draft.query.push(`${names.length ? random.pick(names) : escaped(text.slice(0, 50))}=${escaped(text.slice(0, 1500))}`)
    },
  },
  {
    name: 'bodies that are not the JSON asked for',
    fits: ({ method }) => method !== 'GET',
    spoil(draft, random) {
      const value = JSON.stringify(draft.value ?? {})
      const broken = [value.slice(0, -1), `${value}x`, `[${value}]`, value.replace('{', '{"__proto__":{"polluted":1},'), `\ufeff${value}`]
      draft.body = random.chance(0.3) ? random.pick(broken) : random.chance(0.3) ? random.pick(fragments) : random.pick(bodies)
      if (random.chance(0.3)) draft.lines.push(['Content-Type', random.pick(TYPES)])
    },
  },
  {
    name: 'headers',
    spoil(draft, random) {
      draft.lines.push(...random.pick(headerLines)(draft))
      if (random.chance(0.2)) draft.raw = true
    },
  },
  {
    name: 'lengths, chunks and folded lines',
    spoil(draft, random) {
      draft.raw = true
      random.pick(framings)(draft)
    },
  },
  {
    name: 'paths',
    spoil(draft, random) {
      if (random.chance(0.6)) return setParam(draft, random, random.pick(segments))
      const path = draft.operation.path.replace(/\{(\w+)\}/g, (_, name: string) => draft.params[name]!)
      draft.path = random.pick<(path: string) => string>([
        (text) => `/${text}`,
        (text) => `${text}/`,
        (text) => `${text}//`,
        (text) => text.replace('/', '//'),
        (text) => text.replaceAll('/', '//'),
        (text) => `${text}/.`,
        (text) => `${text}/../x`,
        (text) => `/x/..${text}`,
        (text) => `/.${text}`,
        (text) => text.replace('/v1', '/V1'),
        (text) => text.toUpperCase(),
        (text) => text.replaceAll('/', '\\'),
        (text) => text.replaceAll('/', '%2f'),
        (text) => text.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
        (text) => `${text}%00`,
        (text) => `${text};x=1`,
        (text) => `${text}#x`,
        (text) => `${text}.json`,
        (text) => text.slice(1) || 'x',
        (text) => `${text}/${'a/'.repeat(500)}`,
        (text) => `${text}/${'a'.repeat(15_000)}`,
        (text) => `${text}/${'a'.repeat(20_000)}`,
        () => '*',
        () => '/',
      ])(path)
    },
  },
  {
    name: 'queries',
    spoil(draft, random) {
      const names = queryNames(draft)
      if (names.length && random.chance(0.4)) draft.query.push(`${random.pick(names)}=${escaped(random.pick(words))}`)
      else draft.query.push(random.pick(queries))
    },
  },
  {
    name: 'methods',
    spoil(draft, random) {
      draft.raw = true
      draft.method = random.pick(METHODS.filter((method) => method !== draft.method))
    },
  },
]

function hasUrl({ operation }: Draft): boolean {
  return (
    operation.parameters.some(({ in: where, name }) => where === 'query' && URL_FIELDS.test(name)) ||
    /CreateIntegration|UpdateIntegration/.test(operation.body?.$ref ?? '')
  )
}

const TYPES = [
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/json; charset=',
  'application/json;',
  'application/jsonp',
  'APPLICATION/JSON',
  'application/problem+json',
  '/',
  ' ',
]
// biome-ignore format: a list
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'CONNECT', 'PROPFIND', 'PURGE', 'LOCK', 'get', 'Post', 'QUERY', 'FOO', 'PRI', '', 'G\tET', 'GET\0']
