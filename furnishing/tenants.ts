// People, organizations and what belongs to them, put into the database directly:
// that signing up, inviting and minting make them is tested where they are the subject.
import { randomBytes, randomUUID } from 'node:crypto'
import type { OrganizationRole, WorkspaceRole } from '@adjoin/contract'
import { enterInDirectory } from '../api/src/db/directory.ts'
import { type RunQuery, sql } from '../api/src/db/sql.ts'
import { displayPrefix, newApiKey } from '../api/src/domain/api-key.ts'
import { digest, newToken } from '../api/src/vault/tokens.ts'

/** How somebody calls who has a credential; where there is one service only, with a client, too. */
export interface Caller {
  readonly headers: Record<string, string>
}
export type FurnishedPerson<C extends Caller = Caller> = C & { id: string; email: string; name: string; token: string }
export interface FurnishedOrganization<C extends Caller = Caller> {
  id: string
  slug: string
  name: string
  domain: string
  admin: FurnishedPerson<C>
}
export interface FurnishedWorkspace {
  id: string
  slug: string
  name: string
}
export type FurnishedKey<C extends Caller = Caller> = C & { id: string; key: string }
export interface KeyOptions {
  level?: 'user' | 'organization' | 'workspace'
  role?: WorkspaceRole
  /** Of a workspace key. */
  workspace?: { slug: string } | undefined
  creator?: { id: string }
  expiresAt?: Date
}

export const unique = () => randomBytes(5).toString('hex')

export function createTenants<C extends Caller>(query: RunQuery, callerWith: (credential: Record<string, string>) => C) {
  const idOf = async (...asked: Parameters<RunQuery>) => (await query<{ id: string }>(...asked))[0]!.id

  /** One more session of a person. */
  const session = async (person: { id: string }): Promise<C & { id: string; token: string }> => {
    const token = newToken()
    const id = await idOf(
      sql`insert into sessions (token_hash, user_id, method) values (${digest(token)}, ${person.id}, 'magic-link') returning id`,
    )
    return { ...callerWith({ authorization: `Bearer ${token}` }), id, token }
  }
  const signIn = async (id: string, email: string, name: string): Promise<FurnishedPerson<C>> => ({
    ...(await session({ id })),
    id,
    email,
    name,
  })
  const person = async (name = 'Grace', email = `${name.toLowerCase()}-${unique()}@elsewhere-${unique()}.example`) =>
    signIn(await idOf(sql`insert into users (email, name) values (${email}, ${name}) returning id`), email, name)

  const join = async (of: { id: string }, role: OrganizationRole, who?: FurnishedPerson<C>): Promise<FurnishedPerson<C>> => {
    const joiner = who ?? (await person(role))
    await query(sql`insert into members (organization_id, user_id, role) values (${of.id}, ${joiner.id}, ${role})`)
    return joiner
  }
  const organization = async (name = 'Agency'): Promise<FurnishedOrganization<C>> => {
    const slug = `agency-${unique()}`
    const domain = `${slug}.example`
    const admin = await person('Ada', `ada@${domain}`)
    const id = await idOf(sql`insert into organizations (slug, name, domain) values (${slug}, ${name}, ${domain}) returning id`)
    await query(sql`insert into audit_heads (organization_id) values (${id})`)
    await join({ id }, 'admin', admin)
    return { id, slug, name, domain, admin }
  }
  const workspace = async (of: { id: string }, slug = `client-${unique()}`): Promise<FurnishedWorkspace> => {
    const id = await idOf(sql`insert into workspaces (organization_id, slug, name) values (${of.id}, ${slug}, ${slug}) returning id`)
    return { id, slug, name: slug }
  }
  const assign = async (of: { id: string }, to: { slug: string }, who: { id: string }, role: WorkspaceRole): Promise<void> => {
    await query(sql`insert into workspace_members (organization_id, workspace_id, user_id, role)
      select organization_id, id, ${who.id}, ${role} from workspaces where organization_id = ${of.id} and slug = ${to.slug}`)
  }
  /** An organization key of an admin, made by the first one, unless told. */
  const key = async (of: { id: string; admin: { id: string } }, options: KeyOptions = {}): Promise<FurnishedKey<C>> => {
    const { level = 'organization', role = level === 'user' ? null : 'admin', workspace: at, creator = of.admin, expiresAt } = options
    const [id, raw] = [randomUUID(), newApiKey()]
    await enterInDirectory({ sharded: true }, query, of.id, digest(raw))
    const workspaceId = at ? await idOf(sql`select id from workspaces where organization_id = ${of.id} and slug = ${at.slug}`) : null
    await query(sql`insert into api_keys (organization_id, id, level, role, workspace_id, name, prefix, key_hash, creator_id, expires_at)
      values (${of.id}, ${id}, ${level}, ${role}, ${workspaceId}, ${`${level} key`}, ${displayPrefix(raw)}, ${digest(raw)}, ${creator.id}, ${expiresAt ?? null})`)
    return { ...callerWith({ 'x-api-key': raw }), id, key: raw }
  }
  return { session, signIn, person, join, organization, workspace, assign, key }
}
