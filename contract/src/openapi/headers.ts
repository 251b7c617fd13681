// The headers of answers, each described once.
import { type Access, accessOf } from '../access.ts'
import { limits } from '../limits.ts'
import { declaration } from '../operations.ts'
import { isChange, type OperationId } from '../paths.ts'
import type { ProblemStatus } from '../problems.ts'
import { type Json, ref } from './schemas.ts'

const text = (description: string, example: string, more: Json = {}) => ({ description, schema: { type: 'string', ...more }, example })

const HEADERS = {
  'X-Request-Id': text('ID of the request, as the log and the audit trail have it', '0c6d2b7e-94f1-4a38-8e5b-d7a0f3c1e916', {
    format: 'uuid',
  }),
  'Retry-After': {
    description: 'Seconds to wait before the next try',
    schema: { type: 'integer', minimum: 1, maximum: 2 ** 31 - 1 },
    example: 5,
  },
  RateLimit: text(
    'The tightest limit: how many requests are left (`r`), and for how many seconds it counts on (`t`)',
    '"resends-invitation-3600";r=4;t=3600',
  ),
  'RateLimit-Policy': text(
    'Every limit of this operation: how many requests (`q`) in how many seconds (`w`)',
    '"resends-invitation-3600";q=5;w=3600',
  ),
  'WWW-Authenticate': text(
    'The kinds of credentials that this operation accepts',
    'Bearer realm="adjoin", ApiKey realm="adjoin", header="x-api-key"',
  ),
  Location: text('Path of what was created', '/v1/organizations/agency/workspaces/client-a', { format: 'uri-reference' }),
  'Idempotency-Replayed': text('`true` if this is the first response again, for a repeated `Idempotency-Key`', 'true', { enum: ['true'] }),
  Deprecation: text('Only while a rotated key is in its grace window: since when, in seconds since 1970 (RFC 9745)', '@1772442900'),
  Sunset: text('Only while a rotated key is in its grace window: until when it works (RFC 8594)', 'Mon, 09 Mar 2026 09:15:00 GMT'),
  ETag: text('Names this version of the document; send it in `If-None-Match`', '"EXAMPLE-HASH"'),
  'Content-Disposition': text('A suggested file name', 'attachment; filename="agency-audit-2026-03-03.ndjson"'),
  'Adjoin-Answer': text('Who answers: the provider, or `adjoin` where Adjoin itself refused', 'google_ads'),
  'Adjoin-Call': text('ID of the call in the integration’s list of calls; for changes', 'f20b7d4e-3a96-4c58-95e1-8d6c0b3f7a15', {
    format: 'uuid',
  }),
  'Adjoin-Dropped-Headers': text('Headers of the request that were not passed on', 'x-goog-user-project'),
} as const

export type HeaderName = keyof typeof HEADERS

const componentOf = (name: HeaderName) => name.replaceAll('-', '')

export const headerComponents = (): Json =>
  Object.fromEntries(Object.keys(HEADERS).map((name) => [componentOf(name as HeaderName), HEADERS[name as HeaderName]]))

export const headers = (...names: (HeaderName | false | undefined)[]): { headers: Json } => {
  const sent = names.filter((name): name is HeaderName => typeof name === 'string')
  return { headers: Object.fromEntries(sent.map((name) => [name, ref('headers', componentOf(name))])) }
}

const takesKeys = (row: Access | null) =>
  row !== null && [row.userKey, row.organizationKey, row.workspaceKey].some((least) => least !== '-')

/** What a success of this operation may carry. */
export function successHeaders(id: OperationId): HeaderName[] {
  const row = accessOf(id)
  const keys = takesKeys(row)
  const { constant } = declaration(id)
  return [
    'X-Request-Id',
    ...(limits[id] ? (['RateLimit', 'RateLimit-Policy'] as const) : []),
    ...(row && isChange(id) ? (['Idempotency-Replayed'] as const) : []),
    ...(keys ? (['Deprecation', 'Sunset'] as const) : []),
    ...(constant ? (['ETag'] as const) : []),
  ]
}

/** What a refusal with this status carries. */
export const refusalHeaders = (status: ProblemStatus) =>
  headers(
    'X-Request-Id',
    status === 401 && 'WWW-Authenticate',
    (status === 429 || status === 503) && 'Retry-After',
    status === 429 && 'RateLimit',
    status === 429 && 'RateLimit-Policy',
  )
