import { domainOf, normalizeEmail } from '@adjoin/contract'
import { line, Slug } from '@adjoin/contract/fields'
import { system, transact } from '../audit/transact.ts'
import type { Database } from '../db/pool.ts'
import { type RunQuery, sql } from '../db/sql.ts'
import { isPublicMailbox } from '../domain/mailbox-domain.ts'
import type { Jobs } from '../jobs/queue.ts'

export interface FirstAdmin {
  readonly email: string
  readonly name?: string | undefined
  readonly organization: string
  readonly slug: string
}

export interface CreatedAdmin {
  readonly email: string
  readonly slug: string
  /** Null: people of the address's domain do not join by themselves. */
  readonly domain: string | null
}

/** An organization and its admin without a sign-up mail: the person signs in by mail as everybody does. */
export async function createFirstAdmin(parts: { db: Database; jobs: Jobs }, wanted: FirstAdmin): Promise<CreatedAdmin> {
  const email = normalizeEmail(wanted.email)
  if (!email) throw new Error(`${wanted.email} is not an email address such as ada@agency.example.`)
  const slug = Slug.safeParse(wanted.slug)
  if (!slug.success) throw new Error(`--slug ${wanted.slug}: ${slug.error.issues[0]!.message}.`)
  const organization = line(1, 100).safeParse(wanted.organization)
  if (!organization.success) throw new Error(`--organization: ${organization.error.issues[0]!.message}.`)
  const name = line(1, 100).safeParse(wanted.name ?? email.split('@')[0]!)
  if (!name.success) throw new Error(`--name: ${name.error.issues[0]!.message}.`)

  return transact({ parts }, async (query, record) => {
    const domain = await freeDomain(query, domainOf(email))
    const [made] = await query<{
      id: string
    }>(sql`insert into organizations (slug, name, domain) values (${slug.data}, ${organization.data}, ${domain})
      on conflict (slug) do nothing returning id`)
    if (!made) throw new Error(`An organization with the slug ${slug.data} already exists. Choose another --slug. Nothing was changed.`)
    await query(sql`insert into audit_heads (organization_id) values (${made.id})`)
    await query(sql`insert into users (email, name) values (${email}, ${name.data}) on conflict (email) do nothing`)
    const [user] = await query<{ id: string }>(sql`select id from users where email = ${email} for no key update`)
    await query(sql`insert into members (organization_id, user_id, role) values (${made.id}, ${user!.id}, 'admin')`)
    record('organization.created', {
      organizationId: made.id,
      actor: system,
      target: { type: 'organization', id: made.id, name: organization.data },
      metadata: { slug: slug.data, domain, admin: email },
    })
    return { email, slug: slug.data, domain }
  })
}

/** A public mailbox's domain is nobody's, and one that has an organization stays with it. */
async function freeDomain(query: RunQuery, domain: string): Promise<string | null> {
  if (isPublicMailbox(domain)) return null
  const [taken] = await query(sql`select from organizations where domain = ${domain}`)
  return taken ? null : domain
}
