import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { hostname } from 'node:os'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { runningProcesses } from '../../src/features/infra/processes.ts'
import { keyCounts } from '../../src/features/infra/sealed-columns.ts'
import { openCredential, sealCredential } from '../../src/features/integrations/credential.ts'
import { credentialOf } from '../../src/providers/provider.ts'
import { newSealKey, parseKeyRing } from '../../src/vault/key-ring.ts'
import { createVault } from '../../src/vault/seal.ts'
import { PATIENT_PROGRAM } from '../patience.ts'
import { createWorld, sql, type TestOrganization, type TestWorkspace, type World } from '../world.ts'

const COUNT = 10_000
let world: World
let agency: TestOrganization
let place: TestWorkspace
beforeAll(async () => {
  world = await createWorld()
  agency = await world.organization()
  place = await world.workspace(agency)
})
afterAll(() => world.stop())

const program = fileURLToPath(new URL('../../src/admin/main.ts', import.meta.url))
const newKey = newSealKey('test2')
const oldKey = () => `test1:${world.config.sealKeys![0]!.key.toString('base64')}`

function admin(command: string, ring: string, { anyway = false, databaseUrl = world.config.databaseUrl } = {}) {
  const child = spawn(process.execPath, [program, command, ...(anyway ? ['--anyway'] : [])], {
    env: { PATH: process.env.PATH, NODE_ENV: 'test', ...PATIENT_PROGRAM, DATABASE_URL: databaseUrl, SEAL_KEYS: ring },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(String(chunk)))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, text: said.join('') }))
  return { child, ended }
}

async function seed(): Promise<string[]> {
  const ids = Array.from({ length: COUNT }, () => randomUUID())
  const sealed = ids.map((id) =>
    sealCredential(
      world.app.parts,
      { organization_id: agency.id, workspace_id: place.id, id },
      credentialOf({ username: id, password: `secret-of-${id}` }),
    ),
  )
  await world.query(sql`insert into integrations (organization_id, workspace_id, id, provider, name, status, credential)
    select ${agency.id}, ${place.id}, i.id, 'xandr', 'Many', 'disabled', i.sealed from unnest(${ids}::uuid[], ${sealed}::text[]) as i (id, sealed)`)
  return ids
}

describe('adjoin-admin reseal', () => {
  it(`moves ${COUNT} credentials to the new key beside live writes, through three kills, and loses none`, async () => {
    const ids = await seed()
    const ring = `${newKey},${oldKey()}`
    // Live writes: a client reconnects over and over, under the old key, as on a replica not yet restarted.
    let writing = true
    const written = new Map<string, string>()
    const writer = (async () => {
      for (let i = 0; writing; i++) {
        const id = ids[(i * 37) % COUNT]!
        const password = `renewed-${i}`
        const sealed = sealCredential(
          world.app.parts,
          { organization_id: agency.id, workspace_id: place.id, id },
          credentialOf({ username: id, password }),
        )
        await world.query(
          sql`update integrations set credential = ${sealed}, credential_version = credential_version + 1 where organization_id = ${agency.id} and id = ${id}`,
        )
        written.set(id, password)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    })()
    for (let kill = 0; kill < 3; kill++) {
      const before = (await keyCounts(world.app.parts.db)).find(({ key }) => key === 'test2')?.count ?? 0
      const { child, ended } = admin('reseal', ring, { anyway: true })
      for (let now = before; now < before + 500; ) {
        await new Promise((resolve) => setTimeout(resolve, 30))
        now =
          (await keyCounts(world.app.parts.db)).find(({ key, column }) => key === 'test2' && column.startsWith('integrations'))?.count ?? 0
        if (child.exitCode !== null) break
      }
      child.kill('SIGKILL')
      await ended
    }
    writing = false
    await writer
    const { code, text } = await admin('reseal', ring, { anyway: true }).ended
    // The writer is a process that was not restarted: the work is done, but the old key cannot go yet.
    expect([code, text]).toEqual([1, expect.stringContaining('restart these processes with test2 as the first key, and run this again')])

    const counts = await keyCounts(world.app.parts.db)
    expect(counts.filter(({ key }) => key !== 'test2')).toEqual([])
    const vault = createVault(parseKeyRing(newKey))
    const rows = await world.query<{ id: string; credential: string }>(
      sql`select id, credential from integrations where organization_id = ${agency.id}`,
    )
    expect(rows).toHaveLength(COUNT)
    for (const { id, credential } of rows) {
      const { fields } = openCredential({ vault }, { organization_id: agency.id, workspace_id: place.id, id }, credential)
      expect(fields.password).toBe(written.get(id) ?? `secret-of-${id}`)
    }
  })

  it('names the running processes that lack the new key, and leaves everything as it is', async () => {
    const rotated = await createWorld()
    onTestFinished(() => rotated.stop())
    const old = `test1:${rotated.config.sealKeys![0]!.key.toString('base64')}`
    const on = (ring: string) => admin('reseal', ring, { databaseUrl: rotated.config.databaseUrl }).ended
    const named = `${hostname()} \\(process ${process.pid}: api,jobs\\)`
    const before = await keyCounts(rotated.app.parts.db)
    const refused = await on(`${newKey},${old}`)
    expect(refused).toMatchObject({ code: 1, text: expect.stringMatching(new RegExp(`^LACKING  ${named} does not have the key test2`)) })
    expect(refused.text).toContain('nothing was resealed: restart these processes')
    expect(await keyCounts(rotated.app.parts.db)).toEqual(before)

    // Known to all, but only first in the ring of those who were restarted twice.
    await rotated.query(sql`update processes set key_ids = '{test1,test2}'`)
    const early = await on(`${newKey},${old}`)
    expect(early).toMatchObject({
      code: 1,
      text: expect.stringMatching(new RegExp(`^OLDER  ${named} still seals with an older key$`, 'm')),
    })
    await rotated.query(sql`update processes set key_ids = '{test2,test1}'`)
    expect(await on(`${newKey},${old}`)).toMatchObject({ code: 0, text: expect.stringContaining('you can remove the older keys') })
  })

  it('does not wait for a process that has died or stopped', async () => {
    const rotated = await createWorld()
    onTestFinished(() => rotated.stop())
    const running = async () => (await runningProcesses(rotated.app.parts.db)).length
    const replica = await rotated.replica()
    expect(await running()).toBe(2)
    await replica.stop()
    expect(await running()).toBe(1)
    await rotated.query(sql`update processes set seen_at = now() - interval '61 seconds'`)
    expect(await running()).toBe(0)
  })

  it('counts by key and fails while a key in use is not in the ring; the service does not start without it', async () => {
    const other = newSealKey('test3')
    const { code, text } = await admin('keys', other).ended
    expect([code, text]).toEqual([1, expect.stringMatching(/integrations\.credential +test2 +10000 +NOT IN THE RING/)])
    await expect(world.start({ sealKeys: parseKeyRing(other) })).rejects.toThrow('SEAL_KEYS is missing the key `test2`')
  })

  it('does not open a credential that was copied to another row', async () => {
    const [one, another] = await world.query<{ id: string; credential: string }>(
      sql`select id, credential from integrations where organization_id = ${agency.id} limit 2`,
    )
    const vault = createVault(parseKeyRing(newKey))
    expect(() =>
      openCredential({ vault }, { organization_id: agency.id, workspace_id: place.id, id: another!.id }, one!.credential),
    ).toThrow('belongs elsewhere')
  })
})
