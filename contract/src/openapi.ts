import * as z from 'zod'
import { type Access, accessOf, grantsPower } from './access.ts'
import { schemas } from './fields.ts'
import { Impact } from './impact.ts'
import { limits } from './limits.ts'
import { eventItems } from './openapi-events.ts'
import type { Declaration } from './operation.ts'
import { declaration, groupOf, groups, operationIds } from './operations.ts'
import { isChange, type OperationId, route } from './paths.ts'
import { Problem, type ProblemCode, type ProblemStatus, problems, statusOf } from './problems.ts'

export const API_VERSION = '0.1.0'

type Json = Record<string, unknown>

const PRODUCTION = { url: 'https://adjoin.example', description: 'Production' }
const LOCAL = { url: 'http://localhost:3000', description: 'Local development' }

/**
 * The machine-readable description, made from the tables:
 * nothing here is written twice. `publicUrl`: where it is served.
 */
export function openApi(publicUrl = PRODUCTION.url): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Adjoin',
      version: API_VERSION,
      summary: 'Advertising integrations platform: connect every ad system',
      description:
        'Every response other than 2xx is a problem document (RFC 9457), except in browser flows, which redirect. Before 1.0, breaking changes are made in place under `/v1` and ship together ' +
        'with the Portal and the CLI; from 1.0 on, a breaking change becomes a `/v2` sibling. Operation ids and schema names are stable identifiers.',
      contact: { name: 'Adjoin maintainers', url: 'https://adjoin.example/support' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: publicUrl.startsWith('https://') ? [{ ...PRODUCTION, url: publicUrl }, LOCAL] : [{ ...LOCAL, url: publicUrl }, PRODUCTION],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: Object.keys(groups).map((name) => ({ name, description: TAGS[name as keyof typeof groups] })),
    paths: pathItems(),
    webhooks: eventItems(),
    components: { schemas: components(), securitySchemes: SECURITY, responses: refusals() },
  }
}

// biome-ignore format: a table
const TAGS: Record<keyof typeof groups, string> = {
  account: 'The caller’s own account: profile, sign-up, sessions, invitations',
  auth: 'Sign-in by emailed link, by identity provider and by device; sessions and sign-out',
  organizations: 'Organizations, their members and invitations',
  workspaces: 'Isolated partitions within an organization, their members and invitations',
  'api-keys': 'Programmatic credentials, with rotation',
  audit: 'The audit trail of an organization',
  integrations: 'Connections of a workspace to external advertising systems',
  connect: 'The public flow in which a client authorizes an integration, without a session',
  infra: 'Health, build information and the OpenAPI document',
}

const SECURITY = {
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'adjoin_session',
    description: 'Set by the sign-in routes; named `__Host-adjoin_session` on https. The same session as the bearer token.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'A session token, for the CLI and scripts' },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description:
      'A key bound to one organization, accepted on `/v1` routes other than `/v1/auth/*`. If a request has several credentials, a key takes precedence over a ' +
      'bearer token, and a bearer token over the cookie; an invalid one is refused, with no fallback to the next. While a rotated key is in its grace window, every ' +
      'response carries `Deprecation` (RFC 9745, since when) and `Sunset` (RFC 8594, until when).',
  },
}

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })
const uri = (id: string) => `#/components/schemas/${id}`

/** The named schemas, as they are sent out; request bodies as they come in. */
function components(): Json {
  const bodies = new Set(operationIds.map((id) => declaration(id).body).flatMap((body) => (body ? [schemas.get(body)?.id] : [])))
  const out = z.toJSONSchema(schemas, { io: 'output', uri }).schemas
  const sent = z.toJSONSchema(schemas, { io: 'input', uri, unrepresentable: 'any' }).schemas
  return Object.fromEntries(
    Object.keys(out)
      .sort()
      .map((id) => [id, bodies.has(id) ? clean(sent[id]) : answer(clean(out[id]))]),
  )
}

/** A named format says it all: the pages of pattern that zod adds for dates and uuids help nobody. */
function clean(schema: unknown): Json {
  const { $schema, $id, ...rest } = schema as Json
  return JSON.parse(JSON.stringify(rest), (_, value) => {
    if (value?.format && value.pattern) delete value.pattern
    if (value?.$ref) value.$ref = value.$ref.replace('#/$defs/', '#/components/schemas/')
    return value
  })
}

/** Answers may grow: no schema forbids further properties, or a new field would break strict clients. */
function answer(schema: unknown): Json {
  return JSON.parse(JSON.stringify(schema), (key, value) => (key === 'additionalProperties' && value === false ? undefined : value))
}

/** Descriptions from where zod keeps them, names from our own registry. */
const metadata = { get: (schema: z.ZodType) => ({ ...z.globalRegistry.get(schema), ...schemas.get(schema) }) } as typeof z.globalRegistry

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const name = schemas.get(schema)?.id
  if (name) return ref('schemas', name)
  // Named schemas come out as references into `$defs`; in the document they live among its components.
  const { $defs: _, ...inline } = clean(z.toJSONSchema(schema, { io, metadata, unrepresentable: 'any' }))
  return io === 'output' ? answer(inline) : inline
}

function pathItems(): Json {
  const items: Record<string, Json> = {}
  for (const id of operationIds) {
    const [method, path] = route(id)
    items[path] = { ...items[path], [method.toLowerCase()]: operationItem(id) }
  }
  return items
}

function operationItem(id: OperationId): Json {
  const { summary, description = summary, params, query, body, verbatim, records, wait } = declaration(id)
  const row = accessOf(id)
  return {
    operationId: id,
    tags: [groupOf(id)],
    summary,
    description,
    ...security(row),
    ...(row && { 'x-access': { ...row, ...(grantsPower(id) && { grants: true }) } }),
    ...(Array.isArray(records) && { 'x-records': records }),
    ...(limits[id] && { 'x-limits': limits[id] }),
    ...(wait && { 'x-wait': wait }),
    parameters: [...parameters(params, 'path'), ...parameters(query, 'query'), ...(isChange(id) && row ? [IDEMPOTENCY_KEY] : [])],
    ...(body && {
      requestBody: { required: !body.safeParse(undefined).success, content: { 'application/json': { schema: jsonSchema(body, 'input') } } },
    }),
    ...(verbatim &&
      isChange(id) && {
        requestBody: {
          required: false,
          content: { '*/*': { schema: { type: 'string', format: 'binary', maxLength: verbatim.mostBytes } } },
        },
      }),
    responses: responses(id),
  }
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'For 24 hours, sending the same request again with the same key returns the first response',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

function security(row: Access | null): Json {
  if (!row) return { security: [] }
  const keys = [row.userKey, row.organizationKey, row.workspaceKey].some((least) => least !== '-')
  if (row.session === '-') return { security: [{ apiKey: [] }] }
  return keys ? {} : { security: [{ cookie: [] }, { bearer: [] }] }
}

function parameters(schema: z.ZodObject | undefined, place: 'path' | 'query'): Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => {
    const { description, ...rest } = jsonSchema(field as z.ZodType, 'input')
    const optional = (field as z.ZodType).safeParse(undefined).success
    return { name, in: place, required: place === 'path' || !optional, ...(description ? { description } : {}), schema: rest }
  })
}

function responses(id: OperationId): Json {
  const { ok, created, accepted, empty, redirect, stream, verbatim, preview } = declaration(id)
  const json = (schema: z.ZodType) => ({ content: { 'application/json': { schema: jsonSchema(schema, 'output') } } })
  const success: Json = ok
    ? { 200: { description: 'Done', ...json(preview ? z.union([ok, Impact]) : ok) } }
    : created
      ? { 201: { description: 'Created', headers: { Location: { schema: { type: 'string' } } }, ...json(created) } }
      : accepted
        ? { 202: { description: 'Accepted', ...json(accepted) } }
        : redirect
          ? { 302: { description: 'Redirect', headers: { Location: { schema: { type: 'string' } } } } }
          : verbatim
            ? { 200: PASSED_ON, default: PASSED_ON }
            : stream
              ? {
                  200: {
                    description: 'A streamed file. If the connection closes early, the file is incomplete',
                    headers: { 'Content-Disposition': { description: 'A suggested file name', schema: { type: 'string' } } },
                    content: Object.fromEntries(stream.map((type) => [type, { schema: { type: 'string' } }])),
                  },
                }
              : empty
                ? { 204: { description: 'Done' } }
                : {}
  const previewed = preview && empty ? { 200: { description: 'With `dryRun`: what would end', ...json(Impact) } } : {}
  return {
    ...previewed,
    ...success,
    ...Object.fromEntries(refusalStatuses(id).map((status) => [status, ref('responses', `Refused${status}`)])),
  }
}

const PASSED_ON = {
  description: 'The ad system’s own status, headers and body, passed on; the one exception to problem documents',
  headers: { 'Adjoin-Answer': { description: 'The provider, or `adjoin` where Adjoin itself refused', schema: { type: 'string' } } },
  content: { '*/*': { schema: {} } },
}

/** The statuses that follow from the tables, and those of the verb itself. */
export function refusalStatuses(id: OperationId): ProblemStatus[] {
  const { params, redirect, wait, refuses = [] }: Declaration = declaration(id)
  const row = accessOf(id)
  // A parameter that an operation does not know is refused, so that every one of them can answer 400.
  const codes: ProblemCode[] = [...refuses, 'validation_failed', 'internal_error', 'unavailable']
  // A body is read where none is asked for too, and refused for what it is.
  if (isChange(id)) codes.push('body_too_large', 'unsupported_media_type')
  if (limits[id] && !redirect) codes.push('limit_exceeded') // a browser is sent to the error page instead
  if (wait) codes.push('too_many_waits')
  if (row) codes.push('credential_missing')
  if (params) codes.push('not_found')
  if (row && row.in !== 'platform') codes.push('role_too_low')
  if (grantsPower(id)) codes.push('creator_gone')
  if (row && isChange(id)) codes.push('request_running', 'idempotency_mismatch', 'outcome_unknown')
  return [...new Set(codes.map(statusOf))].sort((a, b) => a - b)
}

function refusals(): Json {
  const statuses = [...new Set(Object.values(problems).map(([status]) => status))].sort((a, b) => a - b)
  const entry = (status: ProblemStatus) => ({
    description: Object.entries(problems)
      .filter(([, [of]]) => of === status)
      .map(([code]) => `\`${code}\``)
      .join(' · '),
    ...((status === 429 || status === 503) && {
      headers: { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } } },
    }),
    content: { 'application/problem+json': { schema: ref('schemas', schemas.get(Problem)!.id) } },
  })
  const used = new Set(operationIds.flatMap(refusalStatuses))
  return Object.fromEntries(statuses.filter((status) => used.has(status)).map((status) => [`Refused${status}`, entry(status)]))
}
