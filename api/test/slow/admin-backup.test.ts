import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { backup } from '../../src/admin/backup.ts'
import { restore } from '../../src/admin/restore.ts'
import { migrate } from '../../src/db/migrate.ts'
import { newSealKey } from '../../src/vault/key-ring.ts'
import { environmentOf, runAdmin } from '../admin-program.ts'
import { createWorld, sql, type TestOrganization, type TestWorkspace, type World } from '../world.ts'

let world: World
let agency: TestOrganization
let place: TestWorkspace
let folder: string
let file: string
let integration: string
beforeAll(async () => {
  world = await createWorld()
  folder = mkdtempSync(join(tmpdir(), 'adjoin-backup-'))
  file = join(folder, 'adjoin.backup')
  agency = await world.organization('Bücher “&” 株式会社')
  place = await world.workspace(agency)
  const at = { orgSlug: agency.slug, workspaceSlug: place.slug }
  const made = await agency.admin.client.createIntegration(at, { provider: 'xandr', name: 'Line\\n "quoted" 🦊' })
  integration = made.id
  await agency.admin.client.submitIntegrationCredentials({ ...at, id: made.id }, { username: 'api-user', password: 'Correct-Horse-1' })
  await agency.admin.client.createOrganizationInvitation({ orgSlug: agency.slug }, { email: 'new@elsewhere.example', role: 'member' })
  await world.mails('new@elsewhere.example')
  // Listed in the background, right after connecting: nothing is written any more when that is done.
  const listed = async () => (await agency.admin.client.listIntegrationAccounts({ ...at, id: made.id })).refreshedAt !== null
  await vi.waitUntil(listed, 20_000)
})
afterAll(async () => {
  await world.stop()
  rmSync(folder, { recursive: true, force: true })
})

const connection = (database: string) => ({ connectionString: `${inject('server')}/${database}` })
let made = 0
/** A new, empty database. */
async function emptyDatabase(): Promise<string> {
  const name = `restored_${process.pid}_${++made}`
  const operator = new pg.Client(connection('postgres'))
  await operator.connect()
  await operator.query(`create database ${name}`)
  await operator.end()
  return name
}
const env = (more: Record<string, string> = {}) => ({ ...environmentOf(world), ...more })
const urlOf = (database: string) => connection(database).connectionString

/** Every row of every table, as text. */
async function contents(database: string): Promise<Record<string, string[]>> {
  const client = new pg.Client(connection(database))
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not in ('migrations', 'processes', 'limits')",
  )
  const all: Record<string, string[]> = {}
  for (const { name } of rows)
    all[name] = (await client.query<{ row: string }>(`select t::text as row from ${name} t order by 1`)).rows.map(({ row }) => row)
  await client.end()
  return all
}

describe('adjoin-admin backup and restore', () => {
  it('brings everything back, byte for byte, checks it, and the service runs on the copy', async () => {
    // A copy that nothing writes to, or the two could not be compared.
    const frozen = new URL(world.config.databaseUrl!).pathname.slice(1)
    const before = await contents(frozen)
    const saved = await runAdmin(['backup', file], env())
    expect([saved.code, saved.out]).toEqual([0, expect.stringContaining('keep the key ring too')])
    expect(statSync(file).mode & 0o777).toBe(0o600)

    const database = await emptyDatabase()
    const restored = await runAdmin(['restore', file], env({ DATABASE_URL: urlOf(database) }))
    expect([restored.code, restored.out]).toEqual([
      0,
      expect.stringMatching(/rows from \d+ tables restored\n.*all intact\n\d+ sealed values, all can be opened/),
    ])
    const after = await contents(database)
    for (const table of ['users', 'organizations', 'audit_entries', 'audit_heads', 'integrations', 'api_keys', 'invitations', 'mailbox'])
      expect([table, after[table]]).toEqual([table, before[table]])
    expect(Object.keys(after).sort()).toEqual(Object.keys(before).sort())

    const copy = await world.replica({ databaseUrl: urlOf(database) })
    const ada = world.client(agency.admin.headers, copy.url)
    const at = { orgSlug: agency.slug, workspaceSlug: place.slug }
    expect(await ada.verifyIntegration({ ...at, id: integration })).toMatchObject({ status: 'active', name: 'Line\\n "quoted" 🦊' })
    // The mailbox goes on counting.
    await ada.createOrganizationInvitation({ orgSlug: agency.slug }, { email: 'later@elsewhere.example', role: 'viewer' })
    const trail = await ada.listAuditLogs({ orgSlug: agency.slug })
    expect(trail.auditLogs[0]).toMatchObject({ action: 'invitation.created' })
  })

  it('takes one moment, beside live writes: no row refers to one that is not there', async () => {
    let writing = true
    const writer = (async () => {
      for (let i = 0; writing && i < 400; i++)
        await agency.admin.client.createWorkspace({ orgSlug: agency.slug }, { name: `Live ${i}`, slug: `live-${i}` })
    })()
    const live = join(folder, 'live-2.backup')
    for (let i = 0; i < 3; i++) await backup({ connectionString: world.config.databaseUrl! }, join(folder, `live-${i}.backup`), () => {})
    writing = false
    await writer
    const checked = await runAdmin(['check', live], env())
    expect([checked.code, checked.out]).toEqual([0, expect.stringMatching(/can be restored\n.*all intact\n.*all can be opened/)])
  })

  it('refuses a database that is not empty, and changes nothing', async () => {
    const { code, err } = await runAdmin(['restore', file], env())
    expect([code, err]).toEqual([1, expect.stringMatching(/The database is not empty: \w+ has \d+ rows.*Nothing was changed/)])
  })

  it('refuses a ring that does not belong to it, before anything is written', async () => {
    const database = await emptyDatabase()
    const other = await runAdmin(['restore', file], env({ DATABASE_URL: urlOf(database), SEAL_KEYS: newSealKey('other') }))
    expect([other.code, other.err]).toEqual([1, expect.stringContaining('is missing test1')])
    const namesake = await runAdmin(['restore', file], env({ DATABASE_URL: urlOf(database), SEAL_KEYS: newSealKey('test1') }))
    expect([namesake.code, namesake.err]).toEqual([1, expect.stringContaining('has keys with the same ids, but they are different keys')])
    expect(await contents(database)).toEqual({})
  })

  it('refuses half a file, a damaged one and another one, and can be run again afterwards', async () => {
    const broken = join(folder, 'broken.backup')
    const database = await emptyDatabase()
    const attempt = () => restore(connection(database), broken, () => {})
    const bytes = readFileSync(file)
    const plain = gunzipSync(bytes).toString()

    writeFileSync(broken, bytes.subarray(0, bytes.length / 2))
    await expect(attempt()).rejects.toThrow('its end is missing')
    writeFileSync(broken, gzipSync(plain.split('\n').slice(0, -2).join('\n')))
    await expect(attempt()).rejects.toThrow('its end is missing')
    writeFileSync(broken, Buffer.concat([bytes.subarray(0, 2000), Buffer.alloc(50), bytes.subarray(2050)]))
    await expect(attempt()).rejects.toThrow(/damaged|its end is missing/)
    const rows = plain.split('\n')
    writeFileSync(broken, gzipSync(rows.filter((row) => !row.startsWith('{"table":"sessions"')).join('\n')))
    await expect(attempt()).rejects.toThrow('sessions has 0 rows instead of')
    writeFileSync(broken, 'hello')
    await expect(attempt()).rejects.toThrow('is not an Adjoin backup')
    writeFileSync(
      broken,
      gzipSync(plain.replace(/"schema":\{"number":\d+,"name":"[^"]+"/, '"schema":{"number":9999,"name":"9999_future.sql"')),
    )
    await expect(attempt()).rejects.toThrow('made by a newer version of Adjoin')

    copyFileSync(file, broken)
    await attempt()
    expect((await contents(database)).organizations).toHaveLength(1)
  })

  it('finds in a restored copy what was tampered with in the file', async () => {
    const database = await emptyDatabase()
    const forged = join(folder, 'forged.backup')
    const text = gunzipSync(readFileSync(file)).toString().replace('invitation.created', 'invitation.creatEd')
    writeFileSync(forged, gzipSync(text))
    await restore(connection(database), forged, () => {})
    const { code, out } = await runAdmin(['check'], env({ DATABASE_URL: urlOf(database) }))
    expect([code, out]).toEqual([1, expect.stringMatching(new RegExp(`BROKEN  ${agency.slug}: Entry \\d+ was changed`))])
  })
})

describe('on the embedded database', () => {
  it('restores into an empty data folder while nothing runs, and takes a backup of it beside the running service', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'adjoin-data-'))
    const { SEAL_KEYS } = env()
    const restored = await runAdmin(['restore', file], { DATA_DIR: dataDir, SEAL_KEYS })
    expect([restored.code, restored.out]).toEqual([0, expect.stringContaining('all can be opened')])
    const service = await world.start({ databaseUrl: undefined, dataDir })
    const [saved, refused] = await Promise.all([
      runAdmin(['backup', join(folder, 'embedded.backup')], { DATA_DIR: dataDir, SEAL_KEYS }),
      runAdmin(['restore', file], { DATA_DIR: dataDir, SEAL_KEYS }),
    ])
    const me = await world.client(agency.admin.headers, service.url).getMe()
    await service.stop()
    rmSync(dataDir, { recursive: true, force: true })
    expect([saved.code, saved.out]).toEqual([0, expect.stringContaining('rows from')])
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('The database is not empty')])
    expect(me.email).toBe(agency.admin.email)
  })
})

describe('a backup of an older schema', () => {
  it('is loaded as it was, and brought up to date afterwards', async () => {
    const home = fileURLToPath(new URL('../../src/db/migrations', import.meta.url))
    const all = readdirSync(home).sort()
    const older = join(folder, 'older')
    mkdirSync(older)
    for (const name of all.slice(0, 6)) copyFileSync(join(home, name), join(older, name))
    const [from, to] = [await emptyDatabase(), await emptyDatabase()]
    await migrate(connection(from), older)
    const client = new pg.Client(connection(from))
    await client.connect()
    await client.query("insert into organizations (slug, name) values ('old', 'Old')")
    await client.query('insert into audit_heads (organization_id) select id from organizations')
    await client.query('select append_audit(id, \'{"id":"x","action":"organization.created"}\') from organizations')
    await client.end()
    const old = join(folder, 'old.backup')
    await backup(connection(from), old, () => {})
    await restore(connection(to), old, () => {})
    expect(await migrate(connection(to))).toEqual({ applied: [], newer: [] })
    const { code, out } = await runAdmin(['verify-audit'], env({ DATABASE_URL: urlOf(to) }))
    expect([code, out]).toEqual([0, '1 audit entry in 1 chain, all intact\n'])
    expect((await contents(to)).audit_heads![0]).toContain('-infinity')
  })
})

it('leaves no sealed text open: the file holds neither secrets nor tokens in the clear', async () => {
  const text = gunzipSync(readFileSync(file)).toString()
  expect(text).toContain(agency.slug)
  for (const secret of ['Correct-Horse-1', agency.admin.token]) expect(text).not.toContain(secret)
  const [{ count } = { count: 0 }] = await world.query<{ count: number }>(
    sql`select count(*) as count from integrations where credential is not null`,
  )
  expect(count).toBe(1)
})
