import { type Access, accessOf, atLeast, grantsPower, type Least, type OperationId } from '@adjoin/contract'
import type { Caller } from '../call.ts'
import { refuse } from '../refusal.ts'
import type { Identified, Unusable } from './identify.ts'

/** Does the matrix take this class of credential at all? If not: 401, before anything else is looked at. */
export function admit(id: OperationId, caller: Caller): void {
  const row = accessOf(id)
  if (row?.[caller.class] === '-')
    refuse('credential_refused', {
      detail: `${CLASSES[caller.class]} are not accepted here. ${credentialHint(row)}`,
      headers: { 'www-authenticate': challenge(id) },
    })
}

const CLASSES = {
  session: 'Sessions',
  userKey: 'User-level keys',
  organizationKey: 'Organization-level keys',
  workspaceKey: 'Workspace-level keys',
} as const

/** What would work instead. */
function credentialHint(row: Access): string {
  const levels = (['user', 'organization', 'workspace'] as const).filter((level) => row[`${level}Key`] !== '-')
  const key = levels.length ? `an API key (level ${levels.join(' or ')})` : ''
  if (row.session === '-') return `Send ${key} in \`x-api-key\`.`
  return key ? `Sign in and use your session, or send ${key}.` : 'Sign in and use your session.'
}

export function refuseMissing(id: OperationId): never {
  const row = accessOf(id)
  return refuse('credential_missing', {
    detail: `No credential was sent. ${row ? credentialHint(row) : ''}`.trim(),
    headers: { 'www-authenticate': challenge(id) },
  })
}

const MALFORMED = {
  key: 'This API key is malformed: its length or checksum is wrong. Check that you copied all of it.',
  bearer: 'The `Authorization` header does not contain a bearer token from this service. Sign in again.',
  cookie: 'The session cookie is malformed. Sign in again.',
} as const

export const refuseMalformed = (id: OperationId, what: keyof typeof MALFORMED): never =>
  refuse('credential_invalid', { detail: MALFORMED[what], headers: { 'www-authenticate': challenge(id) } })

/**
 * The named place must be visible (404), the role high enough,
 * and nobody is let in by a key whose creator could not let them in (403).
 */
export function authorize(id: OperationId, { caller, organization, workspace }: Identified): void {
  const row = accessOf(id)
  if (!row || row.in === 'platform') return
  if (!organization || (row.in === 'workspace' && !workspace)) refuse('not_found')
  const least: Least = row[caller.class]
  if (least === 'organization admin') {
    if (organization.role !== 'admin') refuse('role_too_low', { detail: 'Only organization admins can do this. Ask one of them.' })
  } else if (least !== 'any' && least !== 'itself' && least !== '-') {
    const role = row.in === 'workspace' ? workspace!.role : organization.role
    if (!atLeast(role, least))
      refuse('role_too_low', { detail: `This requires the ${least} role or higher; yours is ${role}. Ask an admin.` })
  }
  if (caller.class === 'organizationKey' && !caller.key.creatorIsAdmin && grantsPower(id)) refuse('creator_gone')
}

/** The place that the path names. */
export const isVisible = (id: OperationId, { organization, workspace }: Identified): boolean =>
  organization !== null && (accessOf(id)?.in !== 'workspace' || workspace !== null)

export function isAllowed(id: OperationId, found: Identified): boolean {
  try {
    authorize(id, found)
    return true
  } catch {
    return false
  }
}

/** `WWW-Authenticate`: the schemes that would work. */
export function challenge(id: OperationId): string {
  const row = accessOf(id)
  if (!row) return 'Bearer realm="adjoin"'
  const keys = row.userKey !== '-' || row.organizationKey !== '-' || row.workspaceKey !== '-'
  return [row.session !== '-' && 'Bearer realm="adjoin"', keys && 'ApiKey realm="adjoin", header="x-api-key"'].filter(Boolean).join(', ')
}

const UNUSABLE_DETAILS: Record<Unusable['unusable'], string> = {
  unknown: 'This credential is unknown. Sign in again, or use another key.',
  ended: 'This session has expired or was signed out. Sign in again.',
  expired: 'This API key has expired. Rotate it with another credential, or create a new one.',
  revoked: 'This API key was revoked. Create a new one.',
  disabled: 'This API key is disabled. Enable it, or use another one.',
  ended_with_creator: 'This API key stopped working because the person who created it lost access. Create a new one.',
}

export const refuseUnusable = (id: OperationId, { unusable }: Unusable): never =>
  refuse('credential_invalid', { detail: UNUSABLE_DETAILS[unusable], headers: { 'www-authenticate': challenge(id) } })
