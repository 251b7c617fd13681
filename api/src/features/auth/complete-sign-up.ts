import { domainOf } from '@adjoin/contract'
import { type Recorder, userActor } from '../../audit/transact.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { isPublicMailbox } from '../../domain/mailbox-domain.ts'
import type { UserRow } from '../account/user-row.ts'

export interface SignUpRow {
  name: string
  organization_name: string
  organization_slug: string
}
export type SignUpOutcome = { slug: string } | { refused: 'slug_taken' | 'domain_taken' | 'public_mailbox' }

/**
 * Takes the parked sign-up away, whatever becomes of it:
 * nobody adopts it later by surprise, and of two sign-ins one gets it.
 */
export async function takeSignUp(query: RunQuery, email: string): Promise<SignUpRow | undefined> {
  const [row] = await query<SignUpRow & { live: boolean }>(
    sql`delete from sign_ups where email = ${email} returning name, organization_name, organization_slug, expires_at > now() as live`,
  )
  return row?.live ? row : undefined
}

/**
 * Slug and domain are decided here, by their unique constraints:
 * an unfinished sign-up holds neither, and the lists may know more by now.
 */
export async function completeSignUp(query: RunQuery, record: Recorder, user: UserRow, signUp: SignUpRow): Promise<SignUpOutcome> {
  const { organization_slug: slug, organization_name: name } = signUp
  const domain = domainOf(user.email)
  if (isPublicMailbox(domain)) return { refused: 'public_mailbox' }
  const [organization] = await query<{ id: string }>(
    sql`insert into organizations (slug, name, domain) values (${slug}, ${name}, ${domain}) on conflict do nothing returning id`,
  )
  if (!organization) {
    const [taken] = await query(sql`select from organizations where slug = ${slug}`)
    return { refused: taken ? 'slug_taken' : 'domain_taken' }
  }
  await query(sql`insert into audit_heads (organization_id) values (${organization.id})`)
  await query(sql`insert into members (organization_id, user_id, role) values (${organization.id}, ${user.id}, 'admin')`)
  record('organization.created', {
    organizationId: organization.id,
    actor: userActor(user),
    target: { type: 'organization', id: organization.id, name },
    metadata: { slug, domain },
  })
  return { slug }
}
