import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, refusal, request, sql, type TestKey, type TestOrganization, type TestPerson, type World } from './world.ts'

let world: World
let urls: string[]
beforeAll(async () => {
  world = await createWorld()
  urls = [world.url, (await world.replica()).url, (await world.replica()).url]
})
afterAll(() => world.stop())

const DAY = 86_400_000
const rotations = async ({ id }: TestOrganization) =>
  world.query<{ content: string }>(
    sql`select content from audit_entries where organization_id = ${id} and action = 'api_key.rotated' order by sequence`,
  )
const withKey = (key: string) => world.client(world.headersOf({ 'x-api-key': key }))
const setKey = ({ id: organizationId }: TestOrganization, id: string, assignments: ReturnType<typeof sql>) =>
  world.query(sql`update api_keys set ${assignments} where organization_id = ${organizationId} and id = ${id}`)

describe('rotating a key', () => {
  it('mints a key of the same name and scope, makes the caller its owner and revokes the old one at once', async () => {
    const organization = await world.organization()
    const orgSlug = organization.slug
    const other = await world.join(organization, 'admin')
    const old = await organization.admin.client.createApiKey(
      { orgSlug },
      { name: 'Reports', level: 'organization', role: 'viewer', expiresInDays: 30 },
    )
    const { key, ...made } = await other.client.rotateApiKey({ orgSlug, id: old.id }, {})
    expect(made).toMatchObject({ name: 'Reports', level: 'organization', role: 'viewer', creatorEmail: other.email, status: 'active' })
    expect(made.id).not.toBe(old.id)
    expect(Date.parse(made.expiresAt!) - Date.parse(made.createdAt)).toBe(30 * DAY)
    expect(await withKey(key).getCurrentApiKey()).toMatchObject({ id: made.id, effectiveRole: 'viewer' })
    expect((await refusal(withKey(old.key).getCurrentApiKey())).problem).toMatchObject({
      status: 401,
      detail: expect.stringContaining('revoked'),
    })
    const [entry] = await rotations(organization)
    expect(JSON.parse(entry!.content)).toMatchObject({
      actor: { type: 'user', email: other.email },
      target: { type: 'apiKey', id: old.id, name: 'Reports' },
      changes: [{ field: 'status', from: 'active', to: 'revoked' }],
      metadata: { graceHours: 0, replacement: { id: made.id, prefix: made.prefix, creatorEmail: other.email } },
    })
    expect(entry!.content).not.toContain(key.slice(15))
  })

  it('takes no body as well as an empty one', async () => {
    const organization = await world.organization()
    const { id } = await world.key(organization, { level: 'user' })
    const answer = await request(`${world.url}/v1/organizations/${organization.slug}/api-keys/${id}/rotate`, {
      method: 'POST',
      headers: organization.admin.headers,
    })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('location')).toBe(`/v1/organizations/${organization.slug}/api-keys/${answer.json().id}`)
  })

  it('keeps a workspace key in its workspace', async () => {
    const organization = await world.organization()
    const workspace = await world.workspace(organization)
    const guest = await world.join(organization, 'guest')
    await world.assign(organization, workspace, guest, 'admin')
    const { id } = await world.key(organization, { level: 'workspace', role: 'member', workspace })
    const made = await guest.client.rotateApiKey({ orgSlug: organization.slug, id }, {})
    expect(made).toMatchObject({ level: 'workspace', role: 'member', workspaceSlug: workspace.slug, creatorEmail: guest.email })
    const [entry] = await rotations(organization)
    expect(JSON.parse(entry!.content).workspace).toEqual({ slug: workspace.slug, name: workspace.name })
  })

  it('is refused for disabled, revoked and replaced keys, each by its own word, and allowed for an expired one', async () => {
    const organization = await world.organization()
    const { slug: orgSlug, admin } = organization
    const rotate = (id: string, graceHours = 0) => admin.client.rotateApiKey({ orgSlug, id }, { graceHours })
    const [disabled, revoked, replaced, retiring, expired] = await Promise.all(
      Array.from({ length: 5 }, () => world.key(organization, { level: 'organization', role: 'member' })),
    )
    await setKey(organization, disabled!.id, sql`disabled_at = now()`)
    await setKey(organization, revoked!.id, sql`revoked_at = now()`)
    await setKey(organization, expired!.id, sql`created_at = now() - interval '10 days', expires_at = now() - interval '1 day'`)
    await rotate(replaced!.id)
    await rotate(retiring!.id, 24)
    expect((await refusal(rotate(disabled!.id))).code).toBe('key_disabled')
    expect((await refusal(rotate(revoked!.id))).code).toBe('key_revoked')
    expect((await refusal(rotate(replaced!.id))).code).toBe('key_replaced')
    expect((await refusal(rotate(retiring!.id, 24))).code).toBe('key_replaced')
    expect((await refusal(expired!.client.rotateApiKey({ orgSlug, id: expired!.id }, {}))).status).toBe(401)
    const made = await rotate(expired!.id, 24)
    expect(Date.parse(made.expiresAt!) - Date.parse(made.createdAt)).toBe(9 * DAY)
    // Grace brings nothing back that was over.
    expect((await admin.client.getApiKey({ orgSlug, id: expired!.id })).status).toBe('expired')
    expect(await rotations(organization)).toHaveLength(3)
  })

  it.each([
    { graceHours: -1 },
    { graceHours: 169 },
    { graceHours: 0.5 },
    { graceHours: 1e308 },
    { graceHours: '1' },
    { graceHours: null },
    { expiresInDays: 0 },
    { expiresInDays: -1 },
    { expiresInDays: 366 },
    { expiresInDays: 1.5 },
    { name: 'Other' },
    { role: 'admin' },
    { level: 'organization' },
    { userId: 'x' },
    [],
    'text',
    null,
  ])('refuses the body %j and leaves the key as it was', async (body) => {
    const organization = await world.organization()
    const { id, client } = await world.key(organization, { level: 'user' })
    const answer = await request(`${world.url}/v1/organizations/${organization.slug}/api-keys/${id}/rotate`, {
      method: 'POST',
      headers: { ...organization.admin.headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(answer.status).toBe(400)
    expect((await client.getCurrentApiKey()).status).toBe('active')
  })
})

describe('the grace window', () => {
  it('lets the old key live on, deprecated since the instant of its replacement, and ends when it says', async () => {
    const organization = await world.organization()
    const { slug: orgSlug, admin, id: organizationId } = organization
    const old = await world.key(organization, { level: 'organization', role: 'viewer' })
    const made = await admin.client.rotateApiKey({ orgSlug, id: old.id }, { graceHours: 48 })
    await setKey(organization, old.id, sql`replaced_at = now() - interval '1 hour'`)
    const [row] = await world.query<{ replaced: number; expires_at: Date }>(
      sql`select floor(extract(epoch from replaced_at)) as replaced, expires_at from api_keys where organization_id = ${organizationId} and id = ${old.id}`,
    )
    expect(row!.expires_at.getTime() - Date.parse(made.createdAt)).toBe(2 * DAY)
    const answers = await Promise.all(
      [
        `/organizations/${orgSlug}`,
        '/organizations/elsewhere',
        `/organizations/${orgSlug}/audit-logs`,
        `/organizations/${orgSlug}/members?x=1`,
      ].map((path) => request(`${world.url}/v1${path}`, { headers: old.headers })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 403, 400])
    for (const { headers } of [...answers, await request(`${world.url}/v1/me`, { headers: old.headers })]) {
      expect(headers.get('deprecation')).toBe(`@${row!.replaced}`)
      expect(headers.get('sunset')).toBe(row!.expires_at.toUTCString())
    }
    const fresh = await request(`${world.url}/v1/organizations/${orgSlug}`, { headers: { 'x-api-key': made.key } })
    expect([fresh.status, fresh.headers.get('deprecation'), fresh.headers.get('sunset')]).toEqual([200, null, null])
    expect(await admin.client.getApiKey({ orgSlug, id: old.id })).toMatchObject({
      status: 'active',
      expiresAt: row!.expires_at.toISOString(),
      replacedBy: made.id,
      replacedAt: expect.any(String),
    })
    expect(await admin.client.getApiKey({ orgSlug, id: made.id })).not.toHaveProperty('replacedBy')
    await setKey(organization, old.id, sql`expires_at = now()`)
    expect((await refusal(old.client.getOrganization({ orgSlug }))).problem.detail).toContain('expired')
  })

  it('never reaches past the old key’s own expiry', async () => {
    const organization = await world.organization()
    const { slug: orgSlug, admin } = organization
    const expiresAt = new Date(Date.now() + 3_600_000)
    const old = await world.key(organization, { level: 'user', expiresAt })
    await admin.client.rotateApiKey({ orgSlug, id: old.id }, { graceHours: 168 })
    expect((await admin.client.getApiKey({ orgSlug, id: old.id })).expiresAt).toBe(expiresAt.toISOString())
  })
})

describe('a key that rotates', () => {
  const rotate = (by: TestKey, of: TestKey, { slug: orgSlug }: TestOrganization, body = {}) =>
    by.client.rotateApiKey({ orgSlug, id: of.id }, body)

  it('may rotate itself, at every level, and hands itself over whole', async () => {
    const organization = await world.organization()
    const workspace = await world.workspace(organization)
    const keys = [
      await world.key(organization, { level: 'user', creator: await world.join(organization, 'guest') }),
      await world.key(organization, { level: 'organization', role: 'viewer' }),
      await world.key(organization, { level: 'workspace', role: 'viewer', workspace }),
    ]
    for (const key of keys) {
      const made = await rotate(key, key, organization)
      expect((await withKey(made.key).getCurrentApiKey()).id).toBe(made.id)
      expect((await refusal(key.client.getCurrentApiKey())).status).toBe(401)
    }
    const actors = (await rotations(organization)).map(({ content }) => JSON.parse(content).actor)
    expect(actors.map(({ type, id }) => [type, id])).toEqual(keys.map(({ id }) => ['apiKey', id]))
  })

  it('rotates others only as far as it reaches: admins’ keys their scope, user keys what their creator manages', async () => {
    const organization = await world.organization()
    const workspace = await world.workspace(organization)
    const make = (level: 'user' | 'organization' | 'workspace', role?: 'admin' | 'member', creator?: TestPerson) =>
      world.key(organization, { level, ...(role && { role }), ...(level === 'workspace' && { workspace }), ...(creator && { creator }) })
    const member = await world.join(organization, 'member')
    const admins = await make('user')
    expect((await rotate(await make('organization', 'admin'), await make('organization', 'member'), organization)).status).toBe('active')
    expect((await rotate(await make('organization', 'admin'), await make('workspace', 'admin'), organization)).status).toBe('active')
    expect((await refusal(rotate(await make('organization', 'admin'), admins, organization))).status).toBe(403)
    expect((await refusal(rotate(await make('organization', 'member'), await make('organization', 'member'), organization))).status).toBe(
      404,
    )
    expect((await refusal(rotate(await make('workspace', 'admin'), await make('workspace', 'member'), organization))).status).toBe(404)
    expect((await refusal(rotate(await make('user', undefined, member), await make('workspace', 'member'), organization))).status).toBe(404)
    expect((await refusal(rotate(await make('user', undefined, member), admins, organization))).status).toBe(404)
    expect((await rotate(await make('user'), await make('workspace', 'admin'), organization)).creatorEmail).toBe(organization.admin.email)
    expect((await rotate(await make('user'), admins, organization)).level).toBe('user')
  })

  it('never gives the new key a longer life than the old one had', async () => {
    const organization = await world.organization()
    const expiresAt = new Date(Date.now() + 30 * DAY)
    const key = await world.key(organization, { level: 'organization', role: 'viewer', expiresAt })
    const made = await rotate(key, key, organization, { expiresInDays: 365 })
    expect(Date.parse(made.expiresAt!) - Date.parse(made.createdAt)).toBeLessThanOrEqual(30 * DAY)
    const person = await organization.admin.client.rotateApiKey({ orgSlug: organization.slug, id: made.id }, { expiresInDays: 365 })
    expect(Date.parse(person.expiresAt!) - Date.parse(person.createdAt)).toBe(365 * DAY)
  })

  it('makes its creator the owner; after they left it renews itself, and takes over no other key', async () => {
    const organization = await world.organization()
    const gone = await world.join(organization, 'admin')
    const key = await world.key(organization, { level: 'organization', role: 'admin', creator: gone })
    const [one, other] = [
      await world.key(organization, { level: 'organization', role: 'member' }),
      await world.key(organization, { level: 'organization', role: 'member' }),
    ]
    expect((await rotate(key, one, organization)).creatorEmail).toBe(gone.email)
    await world.query(sql`delete from members where organization_id = ${organization.id} and user_id = ${gone.id}`)
    expect(await refusal(rotate(key, other, organization))).toMatchObject({ status: 403, code: 'creator_gone' })
    expect((await rotate(key, key, organization)).creatorEmail).toBe(gone.email)
  })

  it('mints no workspace key above what its owner holds there now', async () => {
    const organization = await world.organization()
    const workspace = await world.workspace(organization)
    const creator = await world.join(organization, 'member')
    await world.assign(organization, workspace, creator, 'admin')
    const key = await world.key(organization, { level: 'workspace', role: 'admin', workspace, creator })
    expect((await key.client.getCurrentApiKey()).effectiveRole).toBe('admin')
    await world.query(
      sql`update workspace_members set role = 'viewer' where organization_id = ${organization.id} and user_id = ${creator.id}`,
    )
    expect((await key.client.getCurrentApiKey()).effectiveRole).toBe('member')
    expect((await refusal(rotate(key, key, organization))).code).toBe('above_own_role')
    const leaver = await world.key(organization, { level: 'organization', role: 'admin', creator })
    expect((await refusal(rotate(leaver, key, organization))).code).toBe('creator_gone')
    expect((await key.client.getCurrentApiKey()).status).toBe('active')
    expect(await rotations(organization)).toHaveLength(0)
  })
})

describe('fifty rotations of one key at once over three replicas', () => {
  it.each([0, 24])('mint one replacement and write one entry, with %i hours of grace', async (graceHours) => {
    const organization = await world.organization()
    const { slug: orgSlug, admin } = organization
    const { id, headers } = await world.key(organization, { level: 'organization', role: 'admin' })
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        world
          .client(i % 2 ? headers : admin.headers, urls[i % 3])
          .rotateApiKey({ orgSlug, id }, { graceHours })
          .then(
            () => 'minted',
            (error) => error.code,
          ),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'minted')).toHaveLength(1)
    // A late one of the key itself may find it revoked already at the door.
    for (const outcome of outcomes) expect(['minted', 'key_replaced', 'credential_invalid']).toContain(outcome)
    expect(await rotations(organization)).toHaveLength(1)
    const { apiKeys } = await admin.client.listApiKeys({ orgSlug })
    expect(apiKeys.map(({ status }) => status).sort()).toEqual(graceHours ? ['active', 'active'] : ['active', 'revoked'])
  })

  it('tell those that come too late at once, whatever else the organization is waiting for', async () => {
    const organization = await world.organization()
    const { slug: orgSlug, admin } = organization
    const { id } = await world.key(organization, { level: 'organization', role: 'admin' })
    await admin.client.rotateApiKey({ orgSlug, id }, {})
    const operator = new pg.Client({ connectionString: world.config.databaseUrl })
    await operator.connect()
    try {
      await operator.query('begin')
      await operator.query('select from organizations where id = $1 for no key update', [organization.id])
      // Whoever waited for that row would be told that the service is busy.
      expect((await refusal(admin.client.rotateApiKey({ orgSlug, id }, {}))).code).toBe('key_replaced')
    } finally {
      await operator.end()
    }
  })

  it('never lets a key that was just revoked rotate another', async () => {
    for (let round = 0; round < 10; round++) {
      const organization = await world.organization()
      const { slug: orgSlug, admin } = organization
      const thief = await world.key(organization, { level: 'organization', role: 'admin' })
      const others = await Promise.all(Array.from({ length: 6 }, () => world.key(organization, { level: 'organization', role: 'viewer' })))
      await Promise.allSettled([
        ...others.map(({ id }, i) => world.client(thief.headers, urls[i % 3]).rotateApiKey({ orgSlug, id }, {})),
        admin.client.revokeApiKey({ orgSlug, id: thief.id }),
      ])
      const trail = await world.query<{ action: string }>(
        sql`select action from audit_entries where organization_id = ${organization.id} order by sequence`,
      )
      const actions = trail.map(({ action }) => action)
      expect(actions).toContain('api_key.revoked')
      expect(actions.slice(actions.indexOf('api_key.revoked') + 1)).toEqual([])
    }
  })
})
