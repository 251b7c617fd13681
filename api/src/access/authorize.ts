import { type Access, access, atLeast, type Least, type OperationId } from '@adjoin/contract'
import type { Caller } from '../call.ts'
import { refuse } from '../refusal.ts'
import type { Identified, Unusable } from './identify.ts'

/** Does the matrix take this class of credential at all? If not: 401, before anything else is looked at. */
export function admit(id: OperationId, caller: Caller): void {
  const row: Access | 'public' = access[id]
  if (row !== 'public' && row[caller.class] === '-')
    refuse('credential_refused', { detail: REFUSED_CLASS[caller.class], headers: { 'www-authenticate': challenge(id) } })
}

const REFUSED_CLASS = {
  session: 'This operation is for API keys only. Send one in `x-api-key`.',
  userKey: 'User-level keys are refused here. Sign in and use your session.',
  organizationKey: 'Organization-level keys are refused here. Sign in and use your session.',
  workspaceKey: 'Workspace-level keys are refused here. Use an organization-level key or your session.',
} as const

/** The named place must be visible (404), and the role high enough (403). */
export function authorize(id: OperationId, { caller, organization, workspace }: Identified): void {
  const row: Access | 'public' = access[id]
  if (row === 'public' || row.in === 'platform') return
  if (!organization || (row.in === 'workspace' && !workspace)) refuse('not_found')
  const least: Least = row[caller.class]
  if (least === 'organization admin') {
    if (organization.role !== 'admin') refuse('role_too_low', { detail: 'Only admins of the organization may do this.' })
  } else if (least !== 'any' && least !== 'itself' && least !== '-') {
    const role = row.in === 'workspace' ? workspace!.role : organization.role
    if (!atLeast(role, least)) refuse('role_too_low', { detail: `This needs the role ${least} or higher here; yours is ${role}.` })
  }
}

/** `WWW-Authenticate`: the schemes that would work. */
export function challenge(id: OperationId): string {
  const row: Access | 'public' = access[id]
  if (row === 'public') return 'Bearer realm="adjoin"'
  const keys = row.userKey !== '-' || row.organizationKey !== '-' || row.workspaceKey !== '-'
  return [row.session !== '-' && 'Bearer realm="adjoin"', keys && 'ApiKey realm="adjoin", header="x-api-key"'].filter(Boolean).join(', ')
}

const WHY: Record<Unusable['unusable'], string> = {
  unknown: 'This credential is unknown. Sign in again, or use another key.',
  ended: 'This session has ended. Sign in again.',
  expired: 'This API key has expired. Rotate it with another credential, or create a new one.',
  revoked: 'This API key is revoked. Create a new one.',
  disabled: 'This API key is disabled. Enable it, or use another one.',
  creator_gone: 'This API key ended when its creator lost access. Create a new one.',
}

export const refuseUnusable = (id: OperationId, { unusable }: Unusable): never =>
  refuse('credential_invalid', { detail: WHY[unusable], headers: { 'www-authenticate': challenge(id) } })
