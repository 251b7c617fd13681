// What operations refuse, and with which answers.
import { accessOf, grantsPower } from '../access.ts'
import { schemas } from '../fields.ts'
import { limits } from '../limits.ts'
import type { Declaration } from '../operation.ts'
import { declaration, operationIds } from '../operations.ts'
import { isChange, type OperationId } from '../paths.ts'
import { Problem, type ProblemCode, type ProblemStatus, problem, problems, statusOf } from '../problems.ts'
import { refusalHeaders } from './headers.ts'
import { type Json, ref } from './schemas.ts'

/** What follows from the tables, and what the verb itself refuses; by status. */
export function refusalCodes(id: OperationId): ProblemCode[] {
  const { params, redirect, wait, refuses = [] }: Declaration = declaration(id)
  const row = accessOf(id)
  // A parameter that an operation does not know is refused, so that every one of them can answer 400.
  const codes: ProblemCode[] = [...refuses, 'validation_failed', 'internal_error', 'unavailable']
  // A body is read where none is asked for too, and refused for what it is.
  if (isChange(id)) codes.push('invalid_json', 'body_too_large', 'unsupported_media_type')
  // A browser is sent to the error page instead. Whoever tries invalid credentials is slowed down wherever one is asked for.
  if ((limits[id] || row) && !redirect) codes.push('limit_exceeded')
  if (wait) codes.push('too_many_waits')
  if (row) codes.push('credential_missing', 'credential_invalid', 'credential_refused')
  if (params) codes.push('not_found')
  if (row && row.in !== 'platform') codes.push('role_too_low')
  if (grantsPower(id)) codes.push('creator_gone')
  if (row && isChange(id)) codes.push('request_running', 'idempotency_mismatch', 'outcome_unknown')
  return [...new Set(codes)].sort((a, b) => statusOf(a) - statusOf(b))
}

export const refusalStatuses = (id: OperationId): ProblemStatus[] => [...new Set(refusalCodes(id).map(statusOf))]

const INSTANCE = '/v1/organizations/agency/workspaces/client-a/integrations'
/** What a problem says beyond its code. */
const MORE: Partial<Record<ProblemCode, Partial<Problem>>> = {
  validation_failed: { errors: [{ path: 'name', message: 'is required' }] },
  device_pending: { error: 'authorization_pending', interval: 5 },
  device_slow_down: { error: 'slow_down', interval: 10 },
  device_denied: { error: 'access_denied' },
  device_expired: { error: 'expired_token' },
}
const example = (code: ProblemCode) => problem(code, INSTANCE, { requestId: '0c6d2b7e-94f1-4a38-8e5b-d7a0f3c1e916', ...MORE[code] })

/** One answer for each status, with an example of every problem that has it. */
export function refusals(): Json {
  const used = new Set(operationIds.flatMap(refusalStatuses))
  const codes = Object.keys(problems) as ProblemCode[]
  const entry = (status: ProblemStatus) => {
    const own = codes.filter((code) => statusOf(code) === status)
    return {
      description: own.map((code) => `\`${code}\``).join(' · '),
      ...refusalHeaders(status),
      content: {
        'application/problem+json': {
          schema: ref('schemas', schemas.get(Problem)!.id),
          examples: Object.fromEntries(own.map((code) => [code, { value: example(code) }])),
        },
      },
    }
  }
  return Object.fromEntries([...used].sort((a, b) => a - b).map((status) => [`Refused${status}`, entry(status)]))
}
