import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFirstAdmin } from '../../src/admin/first-admin.ts'
import { verifyAudit } from '../../src/admin/verify-audit.ts'
import { newSealKey } from '../../src/vault/key-ring.ts'
import { environmentOf, ringOf, runAdmin } from '../admin-program.ts'
import { createWorld, sql, type TestOrganization, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.stop())

const admin = (args: string[], env: Record<string, string | undefined> = {}) => runAdmin(args, { ...environmentOf(world), ...env })

describe('adjoin-admin', () => {
  it('says what it can do, and refuses what it cannot with 2', async () => {
    const [help, one, unknown, half] = await Promise.all([
      admin(['help']),
      admin(['backup', '--help']),
      admin(['backups']),
      admin(['first-admin', 'ada@agency.example']),
    ])
    expect([help.code, help.out]).toEqual([0, expect.stringMatching(/doctor[\s\S]+first-admin[\s\S]+restore/)])
    expect([one.code, one.out]).toEqual([0, expect.stringMatching(/^Usage: adjoin-admin backup FILE \[--encrypt RECIPIENT\]…\n/)])
    expect([unknown.code, unknown.out, unknown.err]).toEqual([2, '', expect.stringContaining('unknown command `backups`')])
    expect([half.code, half.err]).toEqual([2, expect.stringContaining('Usage: adjoin-admin first-admin EMAIL --organization NAME')])
  })
})

describe('adjoin-admin distribute', () => {
  it('says where Citus comes from, if the database has none, and refuses a strange number of shards', async () => {
    const [none, strange] = await Promise.all([admin(['distribute', '--dry-run']), admin(['distribute', '--shards', 'many'])])
    expect([none.code, none.out, none.err]).toEqual([1, '', expect.stringContaining('does not have Citus')])
    expect(none.err).toContain('Install it on every node')
    expect([strange.code, strange.err]).toEqual([2, expect.stringContaining('--shards must be a number')])
  })
})

describe('adjoin-admin first-admin', () => {
  it('makes an organization whose admin signs in by mail, and tells so in its trail', async () => {
    const made = await admin(['first-admin', 'Grace@Hopper.example', '--organization', 'Hopper & Co', '--slug', 'hopper'])
    expect([made.code, made.err]).toEqual([0, ''])
    expect(made.out).toContain('grace@hopper.example is now the admin of hopper')

    const visitor = world.client()
    const { challenge } = await visitor.sendSignInLink({ email: 'grace@hopper.example' })
    const [mail] = await world.mails('grace@hopper.example')
    const code = /\b(\d{6})\b/.exec(mail!.text)![1]!
    const { token, user } = await visitor.verifySignIn({ email: 'grace@hopper.example', code, challenge: challenge! })
    expect(user).toMatchObject({ email: 'grace@hopper.example', name: 'grace' })
    const grace = world.client(world.headersOf({ authorization: `Bearer ${token}` }))
    expect((await grace.listOrganizations()).organizations).toMatchObject([{ slug: 'hopper', role: 'admin', domain: 'hopper.example' }])
    const { auditLogs } = await grace.listAuditLogs({ orgSlug: 'hopper' })
    expect(auditLogs.at(-1)).toMatchObject({ action: 'organization.created', actor: { type: 'system' }, metadata: { admin: user.email } })
  })

  it('refuses a taken slug, a bad address and a bad slug, and changes nothing', async () => {
    const { parts } = world.app
    const wanted = { email: 'eve@elsewhere.example', organization: 'Else', slug: 'taken' }
    await createFirstAdmin(parts, wanted)
    const count = async () => (await world.query(sql`select id from users`)).length
    const before = await count()
    await expect(createFirstAdmin(parts, { ...wanted, email: 'mallory@elsewhere.example' })).rejects.toThrow('Choose another --slug')
    await expect(createFirstAdmin(parts, { ...wanted, email: 'nobody' })).rejects.toThrow('not an email address')
    await expect(createFirstAdmin(parts, { ...wanted, slug: 'NOT A SLUG' })).rejects.toThrow('lowercase letters')
    expect(await count()).toBe(before)
  })

  it('gives away neither a public mailbox’s domain nor one that has an organization', async () => {
    const { parts } = world.app
    expect(await createFirstAdmin(parts, { email: 'x@gmail.com', organization: 'X', slug: 'x-one' })).toMatchObject({ domain: null })
    const first = await createFirstAdmin(parts, { email: 'a@shared.example', organization: 'A', slug: 'shared-a' })
    const second = await createFirstAdmin(parts, { email: 'a@shared.example', organization: 'B', slug: 'shared-b' })
    expect([first.domain, second.domain]).toEqual(['shared.example', null])
  })
})

describe('adjoin-admin thaw', () => {
  it('unfreezes an organization, in its trail and with a mail to its admins; the doctor has seen the freeze', async () => {
    const agency = await world.organization()
    await agency.admin.client.freezeOrganization({ orgSlug: agency.slug }, { reason: 'A key leaked' })
    const { code, out } = await admin(['doctor'])
    expect([code, out]).toEqual([0, expect.stringMatching(new RegExp(`note +freezes +frozen, .*: ${agency.slug} \\(today\\)`))])
    const thawed = await admin(['thaw', agency.slug])
    expect([thawed.code, thawed.err, thawed.out]).toEqual([0, '', expect.stringContaining(`${agency.slug} is no longer frozen`)])
    expect((await agency.admin.client.getOrganization({ orgSlug: agency.slug })).frozen).toBeNull()
    const { auditLogs } = await agency.admin.client.listAuditLogs({ orgSlug: agency.slug, action: 'organization.thawed' })
    expect(auditLogs).toMatchObject([{ actor: { type: 'system' }, metadata: { frozenAt: expect.any(String) } }])
    const mails = await world.mails(agency.admin.email, 2)
    expect(mails.some(({ text }) => text.includes('The operator of this service unfroze'))).toBe(true)

    const again = await admin(['thaw', agency.slug])
    expect([again.code, again.out]).toEqual([0, expect.stringContaining('is not frozen; nothing was changed')])
    const unknown = await admin(['thaw', 'nobody-has-this'])
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('no organization with the slug nobody-has-this')])
    expect((await admin(['thaw'])).code).toBe(2)
  })
})

describe('adjoin-admin verify-audit', () => {
  let agency: TestOrganization
  /** The append-only trigger stands in the way of everyone but the database's owner. */
  const tamper = async (change: ReturnType<typeof sql>) => {
    await world.query(sql`alter table audit_entries disable trigger user`)
    await world.query(change)
    await world.query(sql`alter table audit_entries enable trigger user`)
  }
  beforeAll(async () => {
    agency = await world.organization()
    for (let i = 0; i < 6; i++) await agency.admin.client.createWorkspace({ orgSlug: agency.slug }, { name: `Client ${i}`, slug: `c${i}` })
  })
  const badOf = async () => (await verifyAudit(world.app.parts.db, () => {})).bad

  it('finds every chain intact', async () => {
    const { code, out } = await admin(['verify-audit'])
    expect([code, out]).toEqual([0, expect.stringMatching(/^\d+ audit entries in \d+ chains, all intact\n$/)])
  })

  it('names the first bad entry: one that was edited, one that is gone, an end that was cut off, a head that is gone', async () => {
    await tamper(
      sql`update audit_entries set content = replace(content, 'Client 3', 'Client X') where organization_id = ${agency.id} and sequence = 4`,
    )
    const { code, out } = await admin(['verify-audit'])
    expect(code).toBe(1)
    expect(out).toContain(`BROKEN  ${agency.slug}: Entry 4 was changed`)
    await tamper(
      sql`update audit_entries set content = replace(content, 'Client X', 'Client 3') where organization_id = ${agency.id} and sequence = 4`,
    )
    expect(await badOf()).toEqual([])

    await tamper(sql`delete from audit_entries where organization_id = ${agency.id} and sequence = 6`)
    expect(await badOf()).toMatchObject([{ organization: agency.slug, sequence: 6 }])
    await tamper(sql`delete from audit_entries where organization_id = ${agency.id} and sequence = 3`)
    expect(await badOf()).toMatchObject([{ organization: agency.slug, sequence: 3 }])
    await tamper(sql`delete from audit_heads where organization_id = ${agency.id}`)
    expect(await badOf()).toMatchObject([{ organization: agency.slug, sequence: null }])
  })
})

describe('adjoin-admin doctor', () => {
  it('finds a healthy service healthy', async () => {
    const smtp = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'] })
    await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
    const { port } = smtp.server.address() as { port: number }
    const parts = ['public address', 'database', 'clock', 'schema', 'seal keys', 'jobs', 'freezes', 'mail']
    // Seconds in which the machine stood still look to it like a clock that is wrong, or like nobody there.
    await expect
      .poll(async () => {
        const { code, out } = await admin(['doctor'], { SMTP_URL: `smtp://127.0.0.1:${port}` })
        return { code, wrong: /WRONG.*/.exec(out)?.[0], missing: parts.filter((what) => !new RegExp(`^ok +${what}`, 'm').test(out)) }
      })
      .toEqual({ code: 0, wrong: undefined, missing: [] })
    await new Promise<void>((resolve) => smtp.close(resolve))
  })

  it('says what is wrong, each with its fix, and ends with 1', async () => {
    await world.query(sql`insert into jobs (kind, payload, failed_at, last_error) values ('mail.send', 'x', now(), 'refused')`)
    const { code, out, err } = await admin(['doctor'], {
      PUBLIC_URL: 'http://127.0.0.1:1023',
      SMTP_URL: 'smtp://127.0.0.1:1023',
      SEAL_KEYS: newSealKey('other'),
      ADJOIN_GOOGLE_ADS_CLIENT_ID: 'only-half',
      ADJOIN_GOGLE_ADS_CLIENT_SECRET: 'misspelled',
    })
    expect([code, err]).toEqual([1, ''])
    expect(out).toMatch(/note +public address .*can’t be reached/)
    expect(out).toMatch(/WRONG +seal keys +the key ring is missing test1 .*\n +Put the missing keys back into SEAL_KEYS/)
    expect(out).toMatch(/note +jobs +1 failed permanently/)
    expect(out).toMatch(/WRONG +mail +127\.0\.0\.1:1023: .*\n +Check the host, port, account/)
    expect(out).toMatch(/WRONG +provider apps +Google Ads is missing .*CLIENT_SECRET/)
    expect(out).toMatch(/WRONG +provider apps +ADJOIN_GOGLE_ADS_CLIENT_SECRET is not a known setting/)
  })

  it('names the database that does not answer, and goes on with the rest', async () => {
    const missing = `${world.config.databaseUrl}_missing`
    const { code, out } = await admin(['doctor'], { DATABASE_URL: missing, SEAL_KEYS: ringOf(world) })
    expect(code).toBe(1)
    expect(out).toMatch(/WRONG +database .*does not exist/)
    expect(out).toMatch(/note +mail/)
    expect(out).not.toContain(new URL(missing).password)
  })
})
