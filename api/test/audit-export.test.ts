import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyAuditTrail } from '@adjoin/contract/audit-chain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { csvCell } from '../src/audit/csv.ts'
import { append, content, fill, verified } from './audit-chains.ts'
import { createWorld, request, sql, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.stop())

const entriesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('an export', () => {
  it('holds every entry, oldest first, with its hashes, and ends with the entry that tells of it', async () => {
    const organization = await world.organization()
    await append(world, organization, content(), content({ action: 'workspace.created' }))
    const response = await organization.admin.client.exportAuditLogs({ orgSlug: organization.slug })
    expect(response.headers.get('content-type')).toBe('application/x-ndjson')
    expect(response.headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="${organization.slug}-audit-\\d{4}-\\d\\d-\\d\\d\\.ndjson"$`),
    )
    const text = await response.text()
    expect(entriesOf(text).map(({ sequence, action }) => [sequence, action])).toEqual([
      [1, 'workspace.updated'],
      [2, 'workspace.created'],
      [3, 'audit.exported'],
    ])
    const { auditLogs } = await organization.admin.client.listAuditLogs({ orgSlug: organization.slug })
    expect(entriesOf(text).toReversed()).toEqual(auditLogs)
    expect(entriesOf(text)[2]).toMatchObject({
      actor: { email: organization.admin.email },
      target: { type: 'organization', id: organization.id },
      metadata: { format: 'ndjson', filters: {} },
    })
  })

  it('is verified offline, up to the signed checkpoint', async () => {
    const organization = await world.organization()
    const odd = { metadata: { zoë: '🦊\u2028"\\', big: 9007199254740991, small: 1e-7, nested: { z: 1, a: [null, true, -0.5] } } }
    await append(world, organization, content(odd), content({ changes: [{ field: 'settings', from: null, to: { b: 1, a: 2 } }] }))
    const checkpoint = await organization.admin.client.getAuditCheckpoint({ orgSlug: organization.slug })
    expect(checkpoint).toMatchObject({ organizationId: organization.id, sequence: 2 })
    expect(await verified(organization, { checkpoint })).toMatchObject({
      outcome: 'intact',
      entries: 3,
      checkpoint: { sequence: 2 },
    })
    // The key is the service's: every replica signs with it.
    const replica = await world.replica()
    const other = await world.client(organization.admin.headers, replica.url).getAuditCheckpoint({ orgSlug: organization.slug })
    expect(other.publicKey).toBe(checkpoint.publicKey)
  })

  it('is found out when an entry was edited behind the service’s back', async () => {
    const organization = await world.organization()
    await append(world, organization, content(), content(), content())
    await world.query(sql`alter table audit_entries disable trigger user`)
    await world.query(
      sql`update audit_entries set content = replace(content, 'Grace', 'Mallory') where organization_id = ${organization.id} and sequence = 2`,
    )
    await world.query(sql`alter table audit_entries enable trigger user`)
    expect(await verified(organization)).toMatchObject({ outcome: 'broken', fault: { what: 'edited', sequence: 2 } })
  })

  it('takes the same filters as the list, and verifies as one with gaps', async () => {
    const organization = await world.organization()
    await append(world, organization, content(), content({ action: 'api_key.created' }), content(), content({ action: 'api_key.revoked' }))
    const response = await organization.admin.client.exportAuditLogs({ orgSlug: organization.slug, action: 'api_key.*' })
    const entries = entriesOf(await response.text())
    expect(entries.map(({ action }) => action)).toEqual(['api_key.created', 'api_key.revoked'])
    expect((await verifyAuditTrail(entries)).outcome).toBe('gaps')
    const { auditLogs } = await organization.admin.client.listAuditLogs({ orgSlug: organization.slug })
    expect(auditLogs[0]).toMatchObject({ action: 'audit.exported', metadata: { filters: { action: 'api_key.*' } } })
    const until = await organization.admin.client.exportAuditLogs({ orgSlug: organization.slug, to: auditLogs[2]!.createdAt })
    expect(entriesOf(await until.text()).length).toBeGreaterThanOrEqual(3)
    const never = await organization.admin.client.exportAuditLogs({ orgSlug: organization.slug, from: '2999-01-01T00:00:00Z' })
    expect(await never.text()).toBe('')
  })

  it('writes its entry once, before the first byte, and none when it is refused or only looked at by HEAD', async () => {
    const organization = await world.organization()
    const count = async () => (await world.query(sql`select from audit_entries where organization_id = ${organization.id}`)).length
    const url = `${world.url}/v1/organizations/${organization.slug}/audit-logs/export`
    expect((await request(url, { method: 'HEAD', headers: organization.admin.headers })).status).toBe(405)
    expect((await request(`${url}?format=xlsx`, { headers: organization.admin.headers })).status).toBe(400)
    const viewer = await world.join(organization, 'viewer')
    expect((await request(url, { headers: viewer.headers })).status).toBe(403)
    expect(await count()).toBe(0)
    const response = await fetch(url, { headers: organization.admin.headers })
    expect(await count()).toBe(1)
    await response.text()
    expect(await count()).toBe(1)
  })
})

describe('a long export', () => {
  const LONG = 5000
  const long = async () => {
    const organization = await world.organization()
    const big = content({ metadata: { text: 'x'.repeat(4000) } })
    await fill(world, organization, LONG, big, big)
    return organization
  }
  const reads = () => world.statements.filter((text) => /from audit_entries.*order by sequence limit/s.test(text)).length

  it('has no cap, holds no connection between its pages, and stops reading when the client goes away', async () => {
    const organization = await long()
    const url = `${world.url}/v1/organizations/${organization.slug}/audit-logs/export`
    const whole = await (await fetch(url, { headers: organization.admin.headers })).text()
    expect(entriesOf(whole)).toHaveLength(LONG + 1)

    const before = reads()
    const response = await new Promise<import('node:http').IncomingMessage>((resolve) =>
      get(url, { headers: organization.admin.headers }, resolve),
    )
    await new Promise((resolve) => response.once('readable', resolve))
    response.read(10)
    await settled(reads)
    // Nobody reads on, so the service does not either; and its connections are all back in the pool.
    const paused = reads() - before
    expect(paused).toBeLessThan(LONG / 500 / 2)
    const inUse = () => world.app.parts.db.load().total - world.app.parts.db.load().idle
    await expect.poll(inUse).toBe(0) // jobs and checks use one now and then
    response.destroy()
    await settled(reads)
    expect(reads() - before).toBeLessThanOrEqual(paused + 1)
  })

  it('that loses its database half-way breaks the connection, so that nobody takes it for whole', async () => {
    const organization = await long()
    const response = await organization.admin.client.exportAuditLogs({ orgSlug: organization.slug })
    const reader = response.body!.getReader()
    await reader.read()
    await world.query(sql`alter table audit_entries rename to audit_entries_gone`)
    try {
      const rest = async () => {
        while (!(await reader.read()).done);
      }
      await expect(rest()).rejects.toThrow(/terminated|aborted/)
    } finally {
      await world.query(sql`alter table audit_entries_gone rename to audit_entries`)
    }
    expect(world.log.lines.some((line) => line.includes('an audit export was interrupted'))).toBe(true)
  })
})

/** Waits until a count has stood still for three seconds. */
async function settled(count: () => number): Promise<void> {
  for (let still = 0, last = count(); still < 30; last = count()) {
    await sleep(100)
    still = last === count() ? still + 1 : 0
  }
}

describe('an export as csv', () => {
  it('has a line per entry under a line of names, each field quoted, and nothing that a spreadsheet would run', async () => {
    const organization = await world.organization()
    const name = '=HYPERLINK("https://evil.example";"click, me")\r\nsecond line'
    await append(world, organization, content({ actor: { type: 'user', id: 'u', email: '+1@agency.example', name, keyPrefix: null } }))
    const response = await organization.admin.client.exportAuditLogs({ orgSlug: organization.slug, format: 'csv' })
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('content-disposition')).toMatch(/\.csv"$/)
    const [head, first, second] = parseCsv(await response.text())
    expect(head!.slice(0, 3)).toEqual(['sequence', 'createdAt', 'action'])
    const row = Object.fromEntries(head!.map((column, i) => [column, first![i]]))
    expect(row).toMatchObject({ sequence: '1', actorName: `'${name}`, actorEmail: "'+1@agency.example", workspace: 'client' })
    expect(row.hash).toMatch(/^[0-9a-f]{64}$/)
    expect(JSON.parse(row.changes!)).toEqual([{ field: 'name', from: 'Old', to: 'Client' }])
    expect(second![head!.indexOf('action')]).toBe('audit.exported')
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1', '|cmd', '%0A=1', '\n=1'])('makes %j text', (text) => {
    expect(csvCell(text)).toBe(`"'${text}"`)
  })
})

/** RFC 4180, as a strict reader reads it. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let rest = text
  while (rest) {
    const row: string[] = []
    for (;;) {
      const [whole, field, end] = /^"((?:[^"]|"")*)"(,|\r\n)/.exec(rest) ?? []
      if (whole === undefined) throw new Error(`not csv: ${rest.slice(0, 50)}`)
      row.push(field!.replaceAll('""', '"'))
      rest = rest.slice(whole.length)
      if (end !== ',') break
    }
    rows.push(row)
  }
  return rows
}
