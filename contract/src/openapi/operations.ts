// The operations of the document, from the tables.
import * as z from 'zod'
import { type Access, accessOf, grantsPower } from '../access.ts'
import { Impact } from '../impact.ts'
import { limits } from '../limits.ts'
import { declaration, groupOf, operationIds } from '../operations.ts'
import { isChange, type OperationId, route } from '../paths.ts'
import { exampleOf, mediaExamples, type Schemas } from './examples.ts'
import { descriptionOf, type Place, sampleOf } from './fields.ts'
import { headers, successHeaders } from './headers.ts'
import { refusalStatuses } from './refusals.ts'
import { type Json, jsonSchema, ref } from './schemas.ts'

export function pathItems(schemas: Schemas): Json {
  const items: Record<string, Json> = {}
  for (const id of operationIds) {
    const [method, path] = route(id)
    items[path] = { ...items[path], [method.toLowerCase()]: operationItem(id, schemas) }
  }
  return items
}

function operationItem(id: OperationId, schemas: Schemas): Json {
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
    parameters: [...parameters(id, params, 'path'), ...parameters(id, query, 'query'), ...(isChange(id) && row ? [IDEMPOTENCY_KEY] : [])],
    ...(body && {
      requestBody: { required: !body.safeParse(undefined).success, content: media(body, 'input', id, schemas) },
    }),
    ...(verbatim &&
      isChange(id) && {
        requestBody: {
          required: false,
          content: { '*/*': { schema: { type: 'string', format: 'binary', maxLength: verbatim.mostBytes }, example: PASSED_BODY } },
        },
      }),
    responses: responses(id, schemas),
  }
}

const PASSED_BODY = '{"query":"SELECT campaign.id, campaign.name FROM campaign"}'

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'For 24 hours, sending the same request again with the same key returns the first response',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]([ -~]*[!-~])?$' },
}

function security(row: Access | null): Json {
  if (!row) return { security: [] }
  const keys = [row.userKey, row.organizationKey, row.workspaceKey].some((least) => least !== '-')
  if (row.session === '-') return { security: [{ apiKey: [] }] }
  return keys ? {} : { security: [{ cookie: [] }, { bearer: [] }] }
}

function parameters(id: OperationId, schema: z.ZodObject | undefined, place: 'path' | 'query'): Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => {
    const at: Place = [id, place === 'path' ? segmentBefore(id, name) : 'query', name]
    const { description = descriptionOf(at), ...rest } = jsonSchema(field as z.ZodType, 'input', at)
    const optional = (field as z.ZodType).safeParse(undefined).success
    const sample = place === 'path' ? sampleOf(at) : undefined
    return { name, in: place, required: place === 'path' || !optional, description, schema: rest, ...(sample && { example: sample.value }) }
  })
}

/** `/v1/…/api-keys/{id}` → `api-keys`: what the id is of. */
const segmentBefore = (id: OperationId, name: string) =>
  route(id)[1]
    .split('/')
    .at(route(id)[1].split('/').indexOf(`{${name}}`) - 1)!

const media = (schema: z.ZodType, io: 'input' | 'output', id: OperationId, schemas: Schemas): Json => {
  const json = jsonSchema(schema, io, [id])
  return { 'application/json': { schema: json, ...mediaExamples(json, id, io, schemas) } }
}

function responses(id: OperationId, schemas: Schemas): Json {
  const { ok, created, accepted, empty, redirect, verbatim, stream, preview, location, constant } = declaration(id)
  const own = successHeaders(id)
  const answered = (description: string, schema?: z.ZodType) => ({
    description,
    ...headers(...own),
    ...(schema && { content: media(schema, 'output', id, schemas) }),
  })
  const success = (): Json => {
    if (ok) return { 200: answered('Done', preview ? z.union([ok, Impact]) : ok) }
    if (created) return { 201: { ...answered('Created', created), ...headers(location && 'Location', ...own) } }
    if (accepted) return { 202: answered('Accepted', accepted) }
    if (redirect) return { 302: { description: 'Redirect', headers: { Location: SENT_TO, ...headers(...own).headers } } }
    if (verbatim) return { 200: PASSED_ON, default: PASSED_ON }
    if (stream) return { 200: streamed(stream, own, schemas) }
    return empty ? { 204: answered('Done') } : {}
  }
  return {
    ...(preview && empty && { 200: answered('With `dryRun`: what would end', Impact) }),
    ...success(),
    ...(constant && {
      304: { description: 'Not changed since the version that `If-None-Match` names', ...headers('ETag', 'X-Request-Id') },
    }),
    ...Object.fromEntries(refusalStatuses(id).map((status) => [status, ref('responses', `Refused${status}`)])),
  }
}

const SENT_TO = {
  description: 'Where the browser is sent',
  schema: { type: 'string', format: 'uri' },
  example: 'https://adjoin.example/agency',
}

const PASSED_ON = {
  description: 'The ad system’s own status, headers and body, passed on; the one exception to problem documents',
  ...headers('Adjoin-Answer', 'Adjoin-Call', 'Adjoin-Dropped-Headers', 'X-Request-Id'),
  content: { '*/*': { schema: {}, example: { results: [{ campaign: { id: '1', name: 'Search' } }] } } },
}

function streamed(types: readonly string[], own: ReturnType<typeof successHeaders>, schemas: Schemas): Json {
  const entry = exampleOf(ref('schemas', 'AuditEntry'), ['AuditEntry'], schemas) as Record<string, string>
  const examples: Record<string, string> = {
    'application/x-ndjson': `${JSON.stringify(entry)}\n`,
    'text/csv': `sequence,createdAt,action,outcome,…\n${entry.sequence},${entry.createdAt},${entry.action},success,…\n`,
  }
  return {
    description: 'A streamed file. If the connection closes early, the file is incomplete',
    ...headers('Content-Disposition', ...own),
    content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' }, example: examples[type] }])),
  }
}
