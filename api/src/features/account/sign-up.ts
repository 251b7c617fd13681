import { domainOf } from '@adjoin/contract'
import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { isPublicMailbox } from '../../domain/mailbox-domain.ts'
import { refuse, refuseField } from '../../refusal.ts'
import { issueChallenge } from '../auth/challenge.ts'

/**
 * Parks the request. The next session of the address creates
 * the organization, and checks slug and domain again there.
 */
export const signUp: Handler<'signUp'> = async (call) => {
  const { parts, body } = call
  const { email, name, organizationName, organizationSlug, provider } = body
  const domain = domainOf(email)
  if (provider !== 'magic-link' && !parts.config.identity[provider])
    refuseField('provider', 'is not set up here; use magic-link', 'provider_unconfigured')
  if (isPublicMailbox(domain)) refuseField('email', 'must be a work email; anyone can get an address at this domain', 'public_mailbox')
  const [taken] = await parts.db.query<{ slug: boolean; domain: boolean }>(sql`select
    exists (select 1 from organizations where domain = ${domain}) as domain, exists (select 1 from organizations where slug = ${organizationSlug}) as slug`)
  if (taken!.domain) refuse('domain_taken')
  if (taken!.slug) refuse('slug_taken')

  const { challenge, answer } = provider === 'magic-link' ? issueChallenge(call) : {}
  await parts.db.transaction(async (query) => {
    await query(sql`insert into sign_ups (email, name, organization_name, organization_slug, provider, expires_at)
      values (${email}, ${name}, ${organizationName}, ${organizationSlug}, ${provider}, now() + interval '24 hours')
      on conflict (email) do update set name = excluded.name, organization_name = excluded.organization_name,
        organization_slug = excluded.organization_slug, provider = excluded.provider, created_at = excluded.created_at, expires_at = excluded.expires_at`)
    if (provider === 'magic-link') await parts.jobs.enqueue(query, 'sign_in.mail', { email, callbackURL: null, challenge })
  })
  parts.jobs.wake()
  return { email, organizationSlug, provider, ...answer }
}
