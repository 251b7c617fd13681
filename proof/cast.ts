// People and organizations, put into the database directly: that sign-up and sign-in work is shown elsewhere.
import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'
import { displayPrefix, newApiKey } from '../api/src/domain/api-key.ts'
import { digest, newToken } from '../api/src/vault/tokens.ts'

export interface CastPerson {
  readonly id: string
  readonly email: string
  readonly headers: { readonly authorization: string }
}
export interface CastOrganization {
  readonly id: string
  readonly slug: string
  readonly admin: CastPerson
}
export interface CastKeyOptions {
  readonly level?: 'user' | 'organization' | 'workspace'
  readonly creator?: CastPerson
  /** The slug of a workspace key's workspace. */
  readonly workspace?: string | null
}
export type Cast = Awaited<ReturnType<typeof createCast>>

const unique = () => randomBytes(6).toString('hex')

export async function createCast(connection: pg.ClientConfig) {
  const db = new pg.Pool({ ...connection, max: 4 })
  db.on('error', () => {}) // of a connection that nobody uses
  const one = async <R extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<R> =>
    (await db.query<R>(text, [...values])).rows[0]!

  /** A person with a session. */
  const person = async (email = `grace@${unique()}.example`): Promise<CastPerson> => {
    const token = newToken()
    const { id } = await one<{ id: string }>(
      `with u as (insert into users (email, name) values ($1, 'Person') returning id), s as (
         insert into sessions (token_hash, user_id, method) select $2, id, 'magic-link' from u) select id from u`,
      [email, digest(token)],
    )
    return { id, email, headers: { authorization: `Bearer ${token}` } }
  }
  /** Another session of the same person. */
  const session = async ({ id }: CastPerson): Promise<{ id: string; headers: CastPerson['headers'] }> => {
    const token = newToken()
    const made = await one<{ id: string }>(
      `insert into sessions (token_hash, user_id, method) values ($1, $2, 'magic-link') returning id`,
      [digest(token), id],
    )
    return { id: made.id, headers: { authorization: `Bearer ${token}` } }
  }
  const join = async (organization: Pick<CastOrganization, 'id'>, role: string, who: CastPerson) => {
    await one('insert into members (organization_id, user_id, role) values ($1, $2, $3)', [organization.id, who.id, role])
    return who
  }
  const organization = async (slug = `agency-${unique()}`): Promise<CastOrganization> => {
    const domain = `${slug}.example`
    const admin = await person(`ada@${domain}`)
    const { id } = await one<{ id: string }>(
      `with o as (insert into organizations (slug, name, domain) values ($1, $1, $2) returning id), h as (
         insert into audit_heads (organization_id) select id from o) select id from o`,
      [slug, domain],
    )
    await join({ id }, 'admin', admin)
    return { id, slug, admin }
  }
  const workspace = async (of: CastOrganization, slug = `client-${unique()}`): Promise<string> => {
    await one('insert into workspaces (organization_id, slug, name) values ($1, $2, $2)', [of.id, slug])
    return slug
  }
  const assign = async (of: CastOrganization, slug: string, role: string, who: CastPerson) => {
    await one(
      `insert into workspace_members (organization_id, workspace_id, user_id, role)
       select organization_id, id, $3, $4 from workspaces where organization_id = $1 and slug = $2`,
      [of.id, slug, who.id, role],
    )
    return who
  }
  /** An admin's key; of the organization's first admin unless told. */
  const key = async (of: CastOrganization, { level = 'organization', creator = of.admin, workspace = null }: CastKeyOptions = {}) => {
    const [id, raw] = [randomUUID(), newApiKey()]
    await one(
      `insert into api_keys (organization_id, id, level, role, workspace_id, name, prefix, key_hash, creator_id)
       values ($1, $2, $3, $4, (select id from workspaces where organization_id = $1 and slug = $5), 'Key', $6, $7, $8)`,
      [of.id, id, level, level === 'user' ? null : 'admin', workspace, displayPrefix(raw), digest(raw), creator.id],
    )
    return { id, headers: { 'x-api-key': raw } }
  }
  return { one, person, session, join, assign, organization, workspace, key, end: () => db.end() }
}
