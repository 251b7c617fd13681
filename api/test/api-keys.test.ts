import { keyLevels } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, refusal, request, sql, type TestOrganization, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.stop())

const entries = async ({ admin, slug }: TestOrganization) => (await admin.client.listAuditLogs({ orgSlug: slug })).auditLogs
const json = (body: unknown) => ({ method: 'POST', body: JSON.stringify(body) })

describe('creating a key', () => {
  it('shows the raw key once, stores only its hash, and records who did it without a secret', async () => {
    const { admin, slug, id: organizationId, ...organization } = await world.organization()
    const answer = await request(`${world.url}/v1/organizations/${slug}/api-keys`, {
      ...json({ name: 'Nightly sync', level: 'organization', role: 'member', expiresInDays: 30 }),
      headers: { ...admin.headers, 'content-type': 'application/json' },
    })
    const made = answer.json<Record<string, string>>()
    expect(answer.status).toBe(201)
    expect(answer.headers.get('location')).toBe(`/v1/organizations/${slug}/api-keys/${made.id}`)
    expect(made).toEqual({
      id: expect.any(String),
      name: 'Nightly sync',
      prefix: made.key!.slice(0, 15),
      level: 'organization',
      role: 'member',
      creatorEmail: admin.email,
      status: 'active',
      createdAt: expect.any(String),
      expiresAt: new Date(Date.parse(made.createdAt!) + 30 * 86_400_000).toISOString(),
      key: expect.stringMatching(/^adj_[0-9A-Za-z]{49}$/),
    })
    const { key, ...shown } = made
    expect(await admin.client.getApiKey({ orgSlug: slug, id: made.id! })).toEqual(shown)
    expect((await admin.client.listApiKeys({ orgSlug: slug })).apiKeys).toEqual([shown])

    const [entry] = await entries({ admin, slug, id: organizationId, ...organization })
    expect(entry).toMatchObject({
      action: 'api_key.created',
      actor: { type: 'user', email: admin.email },
      target: { type: 'apiKey', id: made.id, name: 'Nightly sync' },
      metadata: { level: 'organization', role: 'member', prefix: made.prefix, expiresAt: made.expiresAt },
    })
    const [dump] = await world.query<{ rows: string }>(sql`select (select json_agg(k) from api_keys k)::text
      || (select json_agg(e) from audit_entries e)::text || coalesce((select json_agg(i) from idempotency i)::text, '') as rows`)
    expect(dump!.rows).not.toContain(key!.slice(15))
    expect(world.log.lines.join()).not.toContain(key!.slice(15))
  })

  it('gives guests user keys, which do what their owner does and nothing elsewhere', async () => {
    const organization = await world.organization()
    const other = await world.organization()
    const guest = await world.join(organization, 'guest')
    await world.join(other, 'admin', guest)
    const made = await guest.client.createApiKey({ orgSlug: organization.slug }, { name: 'Mine', level: 'user' })
    expect(made).toMatchObject({ level: 'user', role: null, expiresAt: null, creatorEmail: guest.email })
    const client = world.client(world.headersOf({ 'x-api-key': made.key }))
    expect(await client.getOrganization({ orgSlug: organization.slug })).toMatchObject({ role: 'guest' })
    expect((await refusal(client.getOrganization({ orgSlug: other.slug }))).status).toBe(404)
    expect(await client.getCurrentApiKey()).toMatchObject({
      id: made.id,
      effectiveRole: 'guest',
      organization: { slug: organization.slug, name: organization.name },
    })
  })

  it.each<[object, string[]]>([
    [{ level: 'user', role: 'admin' }, ['role']],
    [{ level: 'user', role: 'viewer', workspaceSlug: 'w' }, ['role', 'workspaceSlug']],
    [{ level: 'organization' }, ['role']],
    [{ level: 'organization', role: 'guest' }, ['role']],
    [{ level: 'organization', role: 'admin', workspaceSlug: 'w' }, ['workspaceSlug']],
    [{ level: 'workspace' }, ['role', 'workspaceSlug']],
    [{ level: 'workspace', role: 'member' }, ['workspaceSlug']],
    [{ level: 'platform' }, ['level']],
    [{ level: 'user', name: '' }, ['name']],
    [{ level: 'user', name: 'n'.repeat(101) }, ['name']],
    ...[0, -1, 366, 1.5, 1e308, '30', null].map((expiresInDays): [object, string[]] => [
      { level: 'user', expiresInDays },
      ['expiresInDays'],
    ]),
    // Nobody says whose key it is, or what it is worth: those are not fields.
    ...['userId', 'creatorId', 'creatorEmail', 'organizationId', 'status', 'key', 'prefix', 'workspaceId'].map(
      (field): [object, string[]] => [{ level: 'user', [field]: 'x' }, [field]],
    ),
  ])('refuses %j and names the fields %j', async (body, fields) => {
    const { admin, slug } = await world.organization()
    const answer = await request(`${world.url}/v1/organizations/${slug}/api-keys`, {
      ...json({ name: 'Key', ...body }),
      headers: { ...admin.headers, 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(400)
    const { errors } = answer.json<{ errors: { path: string }[] }>()
    expect([...new Set(errors.map(({ path }) => path))]).toEqual(fields)
  })

  it.each<[object, object]>([
    [{}, { level: 'is required' }],
    [{ level: 'platform' }, { level: 'must be one of user, organization, workspace' }],
    [{ level: 'user', role: 'viewer' }, { role: 'must be left out for a user key' }],
    [{ level: 'organization', role: 'viewer', workspaceSlug: 'w' }, { workspaceSlug: 'must be left out for an organization key' }],
    [{ level: 'workspace' }, { role: 'is required', workspaceSlug: 'is required' }],
  ])('says of %j what is wrong with it', async (body, said) => {
    const { admin, slug } = await world.organization()
    const answer = await request(`${world.url}/v1/organizations/${slug}/api-keys`, {
      ...json({ name: 'Key', ...body }),
      headers: { ...admin.headers, 'content-type': 'application/json' },
    })
    const { errors } = answer.json<{ errors: { path: string; message: string }[] }>()
    expect(Object.fromEntries(errors.map(({ path, message }) => [path, message]))).toEqual(said)
  })

  it('mints for a scope only through its admins, and for nobody above themselves', async () => {
    const organization = await world.organization()
    const orgSlug = organization.slug
    const own = await world.workspace(organization)
    const other = await world.workspace(organization)
    const [member, guest] = [await world.join(organization, 'member'), await world.join(organization, 'guest')]
    await world.assign(organization, own, guest, 'admin')
    await world.assign(organization, own, member, 'viewer')
    const key = (level: 'organization' | 'workspace', role: 'admin' | 'viewer', workspaceSlug = '') =>
      level === 'workspace' ? { name: 'Key', level, role, workspaceSlug } : { name: 'Key', level, role }
    const refused = async (promise: Promise<unknown>) => (await refusal(promise)).code
    expect(await refused(member.client.createApiKey({ orgSlug }, key('organization', 'admin')))).toBe('above_own_role')
    expect(await refused(member.client.createApiKey({ orgSlug }, key('organization', 'viewer')))).toBe('role_too_low')
    expect(await refused(member.client.createApiKey({ orgSlug }, key('workspace', 'viewer', own.slug)))).toBe('role_too_low')
    expect(await refused(guest.client.createApiKey({ orgSlug }, key('workspace', 'viewer', other.slug)))).toBe('not_found')
    expect(await refused(guest.client.createApiKey({ orgSlug }, key('workspace', 'viewer', 'nowhere')))).toBe('not_found')
    expect(await guest.client.createApiKey({ orgSlug }, key('workspace', 'admin', own.slug))).toMatchObject({
      level: 'workspace',
      role: 'admin',
      workspace: own.name,
      workspaceSlug: own.slug,
    })
    expect(await organization.admin.client.createApiKey({ orgSlug }, key('workspace', 'admin', other.slug))).toMatchObject({
      role: 'admin',
    })
    expect((await entries(organization)).map(({ action }) => action)).toEqual(['api_key.created', 'api_key.created'])
  })

  it('stops at 200 live keys, also when forty race over three replicas; ended ones do not count', async () => {
    const organization = await world.organization()
    const { slug: orgSlug, id, admin } = organization
    const { id: other } = await world.join(organization, 'admin') // one person alone has a share only
    await world.query(sql`insert into api_keys (organization_id, level, name, key_hash, creator_id, revoked_at, expires_at)
      select ${id}, 'user', 'bulk', sha256((${id} || n)::bytea), ${other},
        case when n > 190 and n <= 200 then now() end, case when n > 200 then now() end from generate_series(1, 210) n`)
    const urls = [world.url, (await world.replica()).url, (await world.replica()).url]
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        world
          .client(admin.headers, urls[i % 3])
          .createApiKey({ orgSlug }, { name: `Racer ${i}`, level: 'user' })
          .then(
            () => 'made',
            (error) => error.code,
          ),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'made')).toHaveLength(10)
    expect(outcomes.filter((outcome) => outcome === 'quota_reached')).toHaveLength(30)
    // At the quota a rotation without grace still works: it adds nothing.
    const one = (await admin.client.listApiKeys({ orgSlug })).apiKeys.find(({ name }) => name.startsWith('Racer'))
    expect((await refusal(admin.client.rotateApiKey({ orgSlug, id: one!.id }, { graceHours: 1 }))).code).toBe('quota_reached')
    expect((await admin.client.rotateApiKey({ orgSlug, id: one!.id }, {})).status).toBe('active')
    expect((await entries(organization)).filter(({ action }) => action === 'api_key.created')).toHaveLength(10)
  })
})

describe('who sees and changes which key', () => {
  it('is: admins of a scope its keys, everyone their own user keys; the rest is not there', async () => {
    const organization = await world.organization()
    const orgSlug = organization.slug
    const own = await world.workspace(organization)
    const other = await world.workspace(organization)
    const guest = await world.join(organization, 'guest')
    const viewer = await world.join(organization, 'viewer')
    await world.assign(organization, own, guest, 'admin')
    const keys = {
      guests: await world.key(organization, { level: 'user', creator: guest }),
      viewers: await world.key(organization, { level: 'user', creator: viewer }),
      organization: await world.key(organization, { level: 'organization', role: 'viewer' }),
      admin: await world.key(organization, { level: 'organization', role: 'admin' }),
      own: await world.key(organization, { level: 'workspace', role: 'viewer', workspace: own }),
      other: await world.key(organization, { level: 'workspace', role: 'viewer', workspace: other }),
    }
    const ids = (...names: (keyof typeof keys)[]) => names.map((name) => keys[name].id).sort()
    const seen = async (client: typeof guest.client) => (await client.listApiKeys({ orgSlug })).apiKeys.map(({ id }) => id).sort()
    const all = Object.keys(keys) as (keyof typeof keys)[]
    expect(await seen(guest.client)).toEqual(ids('guests', 'own'))
    expect(await seen(keys.guests.client)).toEqual(ids('guests', 'own'))
    expect(await seen(viewer.client)).toEqual(ids('viewers'))
    expect(await seen(organization.admin.client)).toEqual(ids(...all))
    expect(await seen(keys.admin.client)).toEqual(ids(...all))
    for (const name of all) {
      const get = () => guest.client.getApiKey({ orgSlug, id: keys[name].id })
      if (name === 'guests' || name === 'own') expect((await get()).id).toBe(keys[name].id)
      else expect((await refusal(get())).status).toBe(404)
    }
    const missing = await refusal(guest.client.getApiKey({ orgSlug, id: crypto.randomUUID() }))
    const hidden = await refusal(guest.client.getApiKey({ orgSlug, id: keys.other.id }))
    const plain = ({ problem: { instance, requestId, ...rest } }: typeof missing) => JSON.stringify(rest)
    expect(plain(hidden)).toBe(plain(missing))
    expect((await refusal(keys.organization.client.listApiKeys({ orgSlug }))).status).toBe(403)
    expect((await refusal(keys.own.client.listApiKeys({ orgSlug }))).status).toBe(401)
  })

  it('lets an admin revoke somebody’s user key and nothing else, and never a key of another organization', async () => {
    const organization = await world.organization()
    const orgSlug = organization.slug
    const member = await world.join(organization, 'member')
    const { id, client } = await world.key(organization, { level: 'user', creator: member })
    const admin = organization.admin.client
    const refused = [
      admin.updateApiKey({ orgSlug, id }, { name: 'Taken' }),
      admin.disableApiKey({ orgSlug, id }),
      admin.enableApiKey({ orgSlug, id }),
      admin.rotateApiKey({ orgSlug, id }, {}),
    ]
    expect((await Promise.all(refused.map(refusal))).map(({ status }) => status)).toEqual([403, 403, 403, 403])
    const stranger = await world.organization()
    const foreign = { orgSlug: stranger.slug, id }
    expect((await refusal(stranger.admin.client.revokeApiKey(foreign))).status).toBe(404)
    expect((await refusal(stranger.admin.client.rotateApiKey(foreign, {}))).status).toBe(404)
    expect((await client.getCurrentApiKey()).status).toBe('active')
    await admin.revokeApiKey({ orgSlug, id })
    expect((await refusal(client.getCurrentApiKey())).problem.detail).toContain('revoked')
    expect((await member.client.getApiKey({ orgSlug, id })).status).toBe('revoked')
  })
})

it('lists every live key, and of the ended ones as many of the newest as fit', async () => {
  const { id, slug: orgSlug, admin } = await world.organization()
  await world.query(sql`insert into api_keys (organization_id, level, name, key_hash, creator_id, created_at, revoked_at)
    select ${id}, 'user', 'bulk ' || n, sha256((${id} || n)::bytea), ${admin.id}, now() - make_interval(hours => n),
      case when n <= 1200 then now() end from generate_series(1, 1205) n`)
  const { apiKeys } = await admin.client.listApiKeys({ orgSlug })
  expect(apiKeys).toHaveLength(1000)
  expect(apiKeys.filter(({ status }) => status === 'active').map(({ name }) => name)).toEqual(
    [1201, 1202, 1203, 1204, 1205].map((n) => `bulk ${n}`),
  )
  expect(apiKeys.slice(0, 2).map(({ name }) => name)).toEqual(['bulk 1', 'bulk 2'])
})

describe('changing a key', () => {
  it('renames, disables, enables and revokes it, each with exactly one entry, and none when nothing changes', async () => {
    const organization = await world.organization()
    const { slug: orgSlug, admin } = organization
    const { id, client } = await world.key(organization, { level: 'organization', role: 'viewer' })
    for (let i = 0; i < 2; i++) expect((await admin.client.updateApiKey({ orgSlug, id }, { name: 'Reports' })).name).toBe('Reports')
    for (let i = 0; i < 2; i++) expect((await admin.client.disableApiKey({ orgSlug, id })).status).toBe('disabled')
    expect((await refusal(client.getOrganization({ orgSlug }))).problem).toMatchObject({ status: 401, code: 'credential_invalid' })
    for (let i = 0; i < 2; i++) expect((await admin.client.enableApiKey({ orgSlug, id })).status).toBe('active')
    expect((await client.getOrganization({ orgSlug })).role).toBe('viewer')
    for (let i = 0; i < 2; i++) expect(await admin.client.revokeApiKey({ orgSlug, id })).toBeUndefined()
    expect((await refusal(admin.client.disableApiKey({ orgSlug, id }))).code).toBe('key_revoked')
    expect((await refusal(admin.client.enableApiKey({ orgSlug, id }))).code).toBe('key_revoked')
    const log = await entries(organization)
    expect(log.map(({ action }) => action)).toEqual(['api_key.revoked', 'api_key.enabled', 'api_key.disabled', 'api_key.updated'])
    expect(log.map(({ changes }) => changes[0])).toEqual([
      { field: 'status', from: 'active', to: 'revoked' },
      { field: 'status', from: 'disabled', to: 'active' },
      { field: 'status', from: 'active', to: 'disabled' },
      { field: 'name', from: 'organization key', to: 'Reports' },
    ])
  })

  it('shows the platform’s prefix for a key minted before prefixes were stored, and the status in its order', async () => {
    const organization = await world.organization()
    const { slug: orgSlug, admin } = organization
    const { id } = await world.key(organization, { level: 'user' })
    const set = (assignments: ReturnType<typeof sql>) =>
      world.query(sql`update api_keys set ${assignments} where organization_id = ${organization.id} and id = ${id}`)
    const shown = () => admin.client.getApiKey({ orgSlug, id })
    await set(sql`prefix = null`)
    expect(await shown()).toMatchObject({ prefix: 'adj_', status: 'active' })
    await set(sql`expires_at = now()`)
    expect((await shown()).status).toBe('expired')
    await set(sql`disabled_at = now()`)
    expect((await shown()).status).toBe('disabled')
    await set(sql`revoked_at = now()`)
    expect((await shown()).status).toBe('revoked')
  })

  it('is for people: every level of key is refused, and named so', async () => {
    const organization = await world.organization()
    const orgSlug = organization.slug
    const workspace = await world.workspace(organization)
    for (const level of keyLevels) {
      const { id, client } = await world.key(organization, {
        level,
        ...(level !== 'user' && { role: 'admin' as const }),
        ...(level === 'workspace' && { workspace }),
      })
      const refused = [
        client.createApiKey({ orgSlug }, { name: 'Offspring', level: 'user' }),
        client.updateApiKey({ orgSlug, id }, { name: 'Other' }),
        client.disableApiKey({ orgSlug, id }),
        client.enableApiKey({ orgSlug, id }),
        client.revokeApiKey({ orgSlug, id }),
      ]
      for (const { problem } of await Promise.all(refused.map(refusal)))
        expect(problem).toMatchObject({ status: 401, code: 'credential_refused' })
    }
  })
})
