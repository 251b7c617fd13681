import { cpSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate } from '../src/db/migrate.ts'
import { changeCredential } from './connected-integration.ts'
import { temporaryServer } from './temporary-server.ts'
import { createWorld, request, sql, type TestOrganization, type TestWorkspace, type World } from './world.ts'

let world: World
let agency: TestOrganization
let place: TestWorkspace
let at: { orgSlug: string; workspaceSlug: string }
beforeAll(async () => {
  world = await createWorld({ roles: { api: true, jobs: false } }) // only what a test asks for is checked
  agency = await world.organization()
  place = await world.workspace(agency)
  at = { orgSlug: agency.slug, workspaceSlug: place.slug }
})
afterAll(() => world.stop())

const member = () => agency.admin.client
const get = (id: string) => member().getIntegration({ ...at, id })
const verify = (id: string) => member().verifyIntegration({ ...at, id })
const checks = async (id: string) => (await member().listIntegrationChecks({ ...at, id })).checks
const create = async () => {
  const { id, connectUrl } = await member().createIntegration(at, { provider: 'xandr', name: 'Monetize' })
  return { id, token: connectUrl.split('/').at(-1)! }
}
/** `word` tells the twin how to answer. */
const form = (word = '') => ({ username: `api-user-${Math.random().toString(36).slice(2)}`, password: `Passw0rd-${word}` })
const byClient = (token: string, word?: string) => world.client().submitConnectCredentials({ token }, form(word))
const byMember = (id: string, word?: string) => member().submitIntegrationCredentials({ ...at, id }, form(word))

/** Connected through the consent screen. `makePlay` then decides how the twin answers. */
async function connected(settings: Record<string, string> = { customerId: '1234567890' }): Promise<string> {
  const made = await member().createIntegration(at, { provider: 'google_ads', name: 'Search', settings })
  const { authorizationUrl } = await world.client().startConnectOAuth({ token: made.connectUrl.split('/').at(-1)! }, {})
  const there = await fetch(`${authorizationUrl}&decision=allow`, { redirect: 'manual' })
  await request(there.headers.get('location')!.replace('http://localhost:3000', world.url))
  return made.id
}
const makePlay = (id: string, play: 'allow' | 'outage' | 'refuse') =>
  changeCredential(world, agency, id, ({ scopes }) => ({
    accessToken: world.twins.mint('google_ads', 'access', { play, scopes }),
    refreshToken: world.twins.mint('google_ads', 'refresh', { play, scopes }),
  }))

describe('who must act', () => {
  it('is the client while a link works, and the agency when none does', async () => {
    const { id } = await create()
    expect(await get(id)).toMatchObject({ status: 'pending', statusReason: null, mustAct: 'client' })
    await world.query(sql`update connect_links set expires_at = now() where integration_id = ${id}`)
    expect(await get(id)).toMatchObject({ status: 'pending', statusReason: null, mustAct: 'agency' })
    await member().revokeConnectLink({ ...at, id })
    expect(await get(id)).toMatchObject({ status: 'pending', statusReason: null, mustAct: 'agency' })
  })

  it('is nobody while all is well, and while it is disabled', async () => {
    const id = await connected()
    expect(await get(id)).toMatchObject({ status: 'active', statusReason: null, mustAct: null })
    expect((await checks(id))[0]).toMatchObject({ outcome: 'verified', reason: null, statusReason: null, mustAct: null })
    await makePlay(id, 'refuse')
    await verify(id)
    expect(await member().disableIntegration({ ...at, id })).toMatchObject({ statusReason: 'grant_revoked', mustAct: null })
  })

  it('is the client after an outage at the first connect: nothing was stored that could be tried again', async () => {
    const { id, token } = await create()
    await byClient(token, 'outage')
    const met = { status: 'pending', statusReason: 'outage', mustAct: 'client' }
    expect(await get(id)).toMatchObject({ ...met, statusDetail: null, lastError: expect.any(String) })
    expect((await checks(id))[0]).toMatchObject({ ...met, kind: 'connect', outcome: 'unreachable', reason: 'outage' })
    await member().revokeConnectLink({ ...at, id })
    expect(await get(id)).toMatchObject({ statusReason: 'outage', mustAct: 'agency' })
    expect(await byMember(id)).toMatchObject({ status: 'active', statusReason: null, mustAct: null })
  })

  it('follows from the reason after a refusal, and each check remembers its own', async () => {
    const { id, token } = await create()
    await byClient(token, 'refuse')
    const refused = { status: 'error', statusReason: 'login_refused', mustAct: 'client' }
    expect(await get(id)).toMatchObject(refused)
    await byClient(token, 'outage')
    expect(await get(id)).toMatchObject({ ...refused, lastError: expect.any(String) })
    expect((await checks(id)).map(({ reason, statusReason, mustAct }) => [reason, statusReason, mustAct])).toEqual([
      ['outage', 'login_refused', 'client'],
      ['login_refused', 'login_refused', 'client'],
    ])
  })

  it('is the agency where a setting is missing, and the operator where the key is', async () => {
    const id = await connected({})
    expect(await get(id)).toMatchObject({ status: 'error', statusReason: 'setting_missing', mustAct: 'agency' })
    await world.query(sql`update integrations set credential = replace(credential, '.test1.', '.gone1.') where id = ${id}`)
    expect(await verify(id)).toMatchObject({ status: 'error', statusReason: 'credential_unreadable', mustAct: 'operator' })
  })

  it('is nobody during an outage of a connected system, and nothing is left of it afterwards', async () => {
    const id = await connected()
    await makePlay(id, 'outage')
    expect(await verify(id)).toMatchObject({ status: 'active', statusReason: 'outage', mustAct: 'nobody' })
    await makePlay(id, 'allow')
    expect(await verify(id)).toMatchObject({ status: 'active', statusReason: null, mustAct: null, lastError: null })
  })

  it('is the same in the list as in each integration', async () => {
    const { integrations } = await member().listIntegrations(at)
    expect(integrations.length).toBeGreaterThan(3)
    for (const one of integrations) {
      const { health: _, connectRequestId: __, ...shown } = await get(one.id)
      expect(one).toEqual(shown)
    }
  })

  it('is the agency where the reason is unknown, as an older or newer process may write it', async () => {
    const { id, token } = await create()
    await byClient(token, 'refuse')
    for (const reason of [null, 'from_the_future']) {
      await world.query(sql`update integrations set status_reason = ${reason} where id = ${id}`)
      expect(await get(id)).toMatchObject({ status: 'error', statusReason: reason, mustAct: 'agency' })
    }
  })
})

describe('integrations from before there were reasons', () => {
  it('get their reasons from their newest checks', async () => {
    const migrations = fileURLToPath(new URL('../src/db/migrations', import.meta.url))
    const names = readdirSync(migrations).sort()
    const older = mkdtempSync(join(tmpdir(), 'adjoin-migrations-'))
    for (const name of names.slice(
      0,
      names.findIndex((one) => one.endsWith('_status_reason.sql')),
    ))
      cpSync(join(migrations, name), join(older, name))
    const server = await temporaryServer()
    const connection = await server.database()
    await migrate(connection, older)
    const client = new pg.Client(connection)
    await client.connect()
    try {
      await client.query(`
        insert into organizations (id, slug, name, domain) values ('00000000-0000-0000-0000-000000000001', 'o', 'O', 'o.example');
        insert into workspaces (organization_id, id, slug, name) values ('00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000002', 'w', 'W');
        insert into integrations (organization_id, workspace_id, id, provider, name, status, status_detail, last_error)
          select '00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000002', id, 'xandr', id, status, detail, error
          from (values ('00000000-0000-0000-0000-00000000000a'::uuid, 'error', 'revoked', 'down'), ('00000000-0000-0000-0000-00000000000b', 'active', null, 'down'),
            ('00000000-0000-0000-0000-00000000000c', 'active', null, null), ('00000000-0000-0000-0000-00000000000d', 'error', 'long ago', null)) v (id, status, detail, error);
        insert into integration_checks (organization_id, integration_id, kind, outcome, reason, detail, status, duration_ms, checked_at)
          select '00000000-0000-0000-0000-000000000001', id, 'check', outcome, reason, 'said', status, 1, now() - make_interval(hours => ago)
          from (values ('00000000-0000-0000-0000-00000000000a'::uuid, 'unreachable', 'outage', 'error', 1), ('00000000-0000-0000-0000-00000000000a', 'rejected', 'grant_revoked', 'error', 2),
            ('00000000-0000-0000-0000-00000000000a', 'rejected', 'login_refused', 'error', 3), ('00000000-0000-0000-0000-00000000000b', 'unreachable', 'throttled', 'active', 1),
            ('00000000-0000-0000-0000-00000000000c', 'rejected', 'grant_revoked', 'error', 9)) v (id, outcome, reason, status, ago)`)
      await migrate(connection)
      const { rows } = await client.query('select right(id::text, 1) as id, status_reason, last_error_reason from integrations order by id')
      expect(rows).toEqual([
        { id: 'a', status_reason: 'grant_revoked', last_error_reason: 'outage' },
        { id: 'b', status_reason: null, last_error_reason: 'throttled' },
        { id: 'c', status_reason: null, last_error_reason: null },
        { id: 'd', status_reason: null, last_error_reason: null },
      ])
    } finally {
      await client.end()
      await server.remove()
    }
  })
})
