import { createPublicKey, verify } from 'node:crypto'
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { parseCheckpointPlace } from '../../src/domain/checkpoint-place.ts'
import { checkpointAge, writeCheckpoints } from '../../src/features/audit/write-checkpoints.ts'
import { environmentOf, runAdmin } from '../admin-program.ts'
import { append, content } from '../audit-chains.ts'
import { json, loopback } from '../loopback.ts'
import { createWorld, request, type TestOrganization, type World } from '../world.ts'

let world: World
let agency: TestOrganization
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'adjoin-checkpoints-'))
  world = await createWorld()
  agency = await world.organization()
})
afterAll(async () => {
  await world.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The parts of a service that is told to keep its checkpoints there. */
const keeping = (place: string) => ({
  ...world.app.parts,
  config: { ...world.config, auditCheckpoints: parseCheckpointPlace(place, false)! },
})
const write = async (place: string) => {
  const outcomes: string[] = []
  await writeCheckpoints(keeping(place), (outcome, count) => outcomes.push(`${outcome} ${count}`))
  return outcomes
}
const grow = (count = 1) => append(world, agency, ...Array.from({ length: count }, () => content()))
const linesIn = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
const verifyAudit = (database: string, args: string[], input = '') =>
  runAdmin(['verify-audit', ...args], { ...environmentOf(world), DATABASE_URL: database }, input)

describe('checkpoints', () => {
  it('are appended to a file, for the trails that have grown', async () => {
    const file = join(folder, 'appended.ndjson')
    await grow(2)
    expect(await checkpointAge(keeping(`file://${file}`))).toBeGreaterThan(0)
    expect(await write(`file://${file}`)).toEqual(['written 1'])
    expect(await checkpointAge(keeping(`file://${file}`))).toBe(0)
    expect(await write(`file://${file}`)).toEqual([])
    appendFileSync(file, '{"organizationId":"half a li')
    await grow()
    expect(await write(`file://${file}`)).toEqual(['written 1'])
    const [first, half, second, ...rest] = readFileSync(file, 'utf8').trim().split('\n')
    expect([rest, half]).toEqual([[], '{"organizationId":"half a li'])
    const kept = [JSON.parse(first!), JSON.parse(second!)]
    expect(kept.map(({ organizationId, slug }) => [organizationId, slug])).toEqual(Array(2).fill([agency.id, agency.slug]))
    expect(kept[1].sequence).toBe(kept[0].sequence + 1)
    const checked = await verifyAudit(world.config.databaseUrl!, ['--checkpoints', file])
    expect([checked.code, checked.out]).toEqual([
      0,
      expect.stringMatching(/all intact\n2 checkpoints compared, all match; 1 lines can’t be read\n$/),
    ])
  })

  it('are kept by day in a folder', async () => {
    await grow()
    await write(`file://${folder}/`)
    expect(readdirSync(folder)).toContainEqual(expect.stringMatching(/^checkpoints-\d{4}-\d\d-\d\d\.ndjson$/))
  })

  it('are posted with a signature of the service, and put into a bucket under names of their own or all in one', async () => {
    const server = await loopback(json(200, {}))
    onTestFinished(() => server.close())
    await grow()
    await write(`${server.url}/hook`)
    const [post] = server.received
    const { publicKey } = linesIn(post!.body)[0]
    const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: publicKey } })
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = post!.headers
    expect(verify(null, Buffer.from(`${id}.${at}.${post!.body}`), key, Buffer.from(signature!.slice('v1a,'.length), 'base64'))).toBe(true)

    await world.organization().then((other) => append(world, other, content()))
    await write(`PUT ${server.url}/bucket/{name}?X-Amz-Signature=1`)
    expect(server.received[1]).toMatchObject({
      method: 'PUT',
      path: expect.stringMatching(/^\/bucket\/\d{4}-.*\.ndjson\?X-Amz-Signature=1$/),
    })
    expect(server.received[1]!.headers['content-type']).toBeUndefined()
    expect(linesIn(server.received[1]!.body)).toHaveLength(1)
    await grow()
    await write(`PUT ${server.url}/bucket/all.ndjson`)
    expect(linesIn(server.received[2]!.body)).toHaveLength(2)
    expect(await write(`PUT ${server.url}/bucket/all.ndjson`)).toEqual([])
  })

  it('that were not taken are told, without secrets, and written with the next run', async () => {
    let status = 403
    const server = await loopback((_, response) => response.writeHead(status).end())
    onTestFinished(() => server.close())
    await grow()
    expect(await write(`PUT ${server.url}/bucket?X-Amz-Signature=very-secret`)).toEqual(['failed 1'])
    const line = world.log.lines.find((text) => text.includes('audit checkpoints were not written'))!
    expect(JSON.parse(line)).toMatchObject({ reason: 'it answered 403', place: `PUT ${server.url}/…` })
    expect(line).not.toContain('very-secret')
    expect(await checkpointAge(keeping('https://a.example'))).toBeGreaterThan(0)
    status = 200
    expect(await write(`PUT ${server.url}/bucket`)).toEqual([expect.stringMatching(/^written/)])
  })

  it('are written by one of all processes, which shows how it went', async () => {
    const file = join(folder, 'scheduled.ndjson')
    await grow()
    const replica = await world.replica({ auditCheckpoints: parseCheckpointPlace(`file://${file}`, false), metricsPort: 0 })
    await world.replica({ auditCheckpoints: parseCheckpointPlace(`file://${file}`, false) })
    const metrics = async () => (await request(`http://127.0.0.1:${replica.metricsPort}/metrics`)).text
    await expect.poll(metrics).toMatch(/^adjoin_audit_checkpoint_age_seconds 0$/m)
    expect(linesIn(readFileSync(file, 'utf8'))).toHaveLength(1)
    expect(await metrics()).toMatch(/^adjoin_audit_checkpoints_total\{outcome="failed"\} 0$/m)
  })
})

describe('a trail that was set back to an older state and went on', () => {
  it('is intact by itself, and known by the checkpoints that were kept elsewhere', async () => {
    const kept = join(folder, 'kept.ndjson')
    const saved = join(folder, 'older.backup')
    await write(`file://${kept}`)
    expect((await runAdmin(['backup', saved], environmentOf(world))).code).toBe(0)
    await grow(5)
    const late = await world.organization()
    await append(world, late, content())
    await write(`file://${kept}`)

    const name = `set_back_${process.pid}`
    const operator = new pg.Client({ connectionString: `${inject('server')}/postgres` })
    await operator.connect()
    await operator.query(`create database ${name}`)
    await operator.end()
    const database = `${inject('server')}/${name}`
    expect((await runAdmin(['restore', saved], { ...environmentOf(world), DATABASE_URL: database })).code).toBe(0)
    const short = await verifyAudit(database, ['--checkpoints', kept])
    expect(short.out).toContain(`BROKEN  ${agency.slug}: A part of the trail is missing: entry `)
    expect(short.out).toMatch(/which was signed at \d{4}-\S+Z, is not there; the trail ends at \d+\./)

    const restored = new pg.Client({ connectionString: database })
    await restored.connect()
    for (let i = 0; i < 9; i++) await restored.query('select append_audit($1, $2)', [agency.id, JSON.stringify(content())])
    await restored.end()
    const alone = await verifyAudit(database, [])
    expect([alone.code, alone.out]).toEqual([0, expect.stringContaining('all intact')])
    const sequence = linesIn(readFileSync(kept, 'utf8')).find(({ slug }) => slug === agency.slug).sequence
    const compared = await verifyAudit(database, ['--checkpoints', '-'], readFileSync(kept, 'utf8'))
    expect(compared.code).toBe(1)
    expect(compared.out).toMatch(
      new RegExp(
        `BROKEN  ${agency.slug}: A part of the trail is missing: entry ${sequence}, which was signed at \\S+Z, was replaced by another one\\.`,
      ),
    )
    expect(compared.out).toContain(`BROKEN  ${late.slug}: A part of the trail is missing: entry 1, which was signed at`)
    expect(compared.out).toContain('belongs to an organization that is not in this database')
    expect(compared.out).toContain('2 trails don’t match them')
  })

  it('is not known by checkpoints that someone else signed, which are told apart', async () => {
    const line = JSON.stringify({ ...linesIn(readFileSync(join(folder, 'kept.ndjson'), 'utf8'))[0], sequence: 99_999 })
    const { code, out } = await verifyAudit(world.config.databaseUrl!, ['--checkpoints', '-'], `${line}\n`)
    expect([code, out]).toEqual([1, expect.stringContaining('was not signed by this service’s key')])
    const usage = await verifyAudit(world.config.databaseUrl!, ['--checkpoint', 'x'])
    expect([usage.code, usage.err]).toEqual([2, expect.stringContaining('[--checkpoints FILE]')])
  })
})
