// Values to show and to begin with: the document's own examples where it has some, else composed from the schema.
import {
  alternatives,
  bodySchemaOf,
  type Examples,
  type ListedOperation,
  type OpenApiDocument,
  type OpenApiSchema,
  resolved,
} from './document.ts'

const ID = '5f0c1d1e-8a54-4d2b-9a70-6f1f2a3b4c5d'

const formats: Record<string, string> = {
  uuid: ID,
  'date-time': '2026-01-31T12:00:00.000Z',
  date: '2027-06-30',
  email: 'ada@agency.example',
  uri: 'https://agency.example',
}

/** Where the examples happen. */
export const EXAMPLE_PLACES: Record<string, string> = { orgSlug: 'agency', workspaceSlug: 'client-a' }

/** A likely value of what has a name that says what it is. */
const likely: Record<string, unknown> = {
  ...EXAMPLE_PLACES,
  organizationSlug: 'agency',
  slug: 'client-a',
  organizationName: 'Agency',
  name: 'Client A',
  title: 'Your ad accounts',
  provider: 'google_ads',
  userCode: 'WDJB-MJHT',
  code: '123456',
  path: 'v25/customers:listAccessibleCustomers',
  token: 'TOKEN',
  result: 'RESULT',
  deviceCode: 'DEVICE_CODE',
  challenge: 'CHALLENGE',
  cursor: 'CURSOR',
  clientName: 'Build server',
  reason: 'A key leaked',
  accountId: '1234567890',
  providerName: 'Google Ads',
  connectedAccount: 'Example Advertiser (1234567890)',
  status: 'active',
  category: 'wg',
  url: 'https://agency.example/hooks/adjoin',
  key: 'adj_…',
}

/** Bodies that show the usual case: the document’s own examples show every field. */
const bodies: Record<string, unknown> = {
  createApiKey: { name: 'Nightly report', level: 'organization', role: 'viewer' },
  createIntegration: { provider: 'google_ads', name: 'Search', settings: { customerId: '1234567890' } },
  createConnectRequest: { title: 'Your ad accounts', items: [{ provider: 'google_ads' }, { provider: 'meta_ads' }] },
  updateOrganization: { name: 'Agency International' },
  updateMe: { name: 'Ada Lovelace' },
  updateIntegration: { name: 'Search, EMEA' },
  updateWebhook: { types: ['integration.*'] },
  updateConnectRequest: { clientEmail: 'client@brand.example' },
  createWebhook: { url: 'https://agency.example/hooks/adjoin', types: ['integration.*', 'connect_link.*'] },
  rotateApiKey: { graceHours: 24 },
  issueConnectLink: { expiresInDays: 14 },
  renewConnectRequest: { expiresInDays: 14 },
  submitIntegrationCredentials: { username: 'api-user', password: 'PASSWORD' },
  submitConnectCredentials: { username: 'api-user', password: 'PASSWORD' },
  submitConnectItemCredentials: { username: 'api-user', password: 'PASSWORD' },
}

const given = ({ example, examples }: Examples): unknown => example ?? Object.values(examples ?? {})[0]?.value

/** A value that such a schema takes: of an object what it requires, or all where it requires nothing. */
export function exampleOf(document: OpenApiDocument, schema: OpenApiSchema, name = '', depth = 0): unknown {
  const { type, format, enum: values, const: only, default: usual, properties, required, items, ...rest } = resolved(document, schema)
  const documented = rest.example ?? rest.examples?.[0]
  if (documented !== undefined) return documented
  if (only !== undefined) return only
  if (values) return values.includes(likely[name]) ? likely[name] : values[0]
  if (properties) {
    if (depth > 5) return {}
    const shown = Object.entries(properties).filter(([key]) => !required?.length || required.includes(key))
    return Object.fromEntries(shown.map(([key, value]) => [key, exampleOf(document, value, key, depth + 1)]))
  }
  if (usual !== undefined) return usual
  const branches = alternatives(rest)
  const [first] = branches
  // What may be nothing, and has no likely value, is nothing.
  if (first?.type === 'string' && !first.format && branches.some((one) => one.type === 'null') && likely[name] === undefined) return null
  if (first) return exampleOf(document, first, name, depth)
  if (type === 'array') return items ? [exampleOf(document, items, name, depth + 1)] : []
  if (type === 'integer' || type === 'number') return Math.max(rest.minimum ?? 1, Math.min(1, rest.maximum ?? 1))
  if (type === 'boolean') return true
  if (type === 'object') return {}
  if (format && formats[format]) return formats[format]
  if (likely[name] !== undefined) return likely[name]
  if (/email/i.test(name)) return formats.email
  return /id$/i.test(name) ? ID : /url$/i.test(name) ? formats.uri : '…'
}

/** The body to begin with; undefined where there is none. */
export function bodyExample(document: OpenApiDocument, entry: ListedOperation): unknown {
  const content = entry.requestBody?.content['application/json']
  const schema = bodySchemaOf(entry)
  if (!content || !schema) return undefined
  const own = resolved(document, schema)
  return bodies[entry.operationId] ?? given(content) ?? own.example ?? own.examples?.[0] ?? exampleOf(document, schema)
}

/** What stands in the path before anybody has filled it in; and what the document says of other parameters. */
export function parameterExamples(document: OpenApiDocument, { parameters = [] }: ListedOperation): Record<string, string> {
  const needed = parameters.filter((one) => one.in === 'path' || one.required || given(one) !== undefined)
  return Object.fromEntries(
    needed
      .filter(({ in: where, required }) => where !== 'header' && (where === 'path' || required))
      .map((one) => [one.name, String(likely[one.name] ?? given(one) ?? exampleOf(document, one.schema, one.name))]),
  )
}
