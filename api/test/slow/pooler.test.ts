// Behind a real PgBouncer, as docs/production.md says to set it up.
import { describe, expect, it, onTestFinished } from 'vitest'
import { examine } from '../../src/admin/doctor.ts'
import { readConfig } from '../../src/config.ts'
import { connectDatabase } from '../../src/db/connect.ts'
import { newSealKey } from '../../src/vault/key-ring.ts'
import { pgbouncerVersion, startPgbouncer } from '../pgbouncer.ts'
import { stopwatch } from '../stopwatch.ts'
import { newDatabase } from '../test-database.ts'
import { createWorld, sql } from '../world.ts'

/** As in docs/production.md. */
const IGNORED = 'statement_timeout, lock_timeout, idle_in_transaction_session_timeout'
/** Fewer connections to the server than the service has to the pooler: they change hands all the time. */
const FEW = { default_pool_size: 3, max_client_conn: 100 }

async function behind(settings: Record<string, string | number>) {
  const pooler = await startPgbouncer(await newDatabase(), { ...FEW, ...settings })
  onTestFinished(pooler.stop)
  return pooler.url
}

/** Changes, reads and searches, many at once, so that one caller's statements run on different connections of the server. */
async function expectService(databaseUrl: string, databasePrepare: boolean) {
  const world = await createWorld({ databaseUrl, databasePrepare, limitsFactor: 1000 })
  onTestFinished(() => world.stop())
  const organization = await world.organization()
  const { slug: orgSlug, admin } = organization
  const { slug: workspaceSlug } = await world.workspace(organization)
  const at = { orgSlug, workspaceSlug }
  for (let round = 0; round < 3; round++)
    await Promise.all(
      Array.from({ length: 10 }, async (_, i) => {
        const { id } = await admin.client.createIntegration(at, { provider: 'xandr', name: `Publisher ${round} ${i}` })
        await Promise.all([admin.client.getIntegration({ ...at, id }), admin.client.listIntegrations(at), admin.client.getMe()])
        await admin.client.listOrganizationIntegrations({ orgSlug, counts: 'true' })
      }),
    )
  expect((await admin.client.listIntegrations(at)).integrations).toHaveLength(30)
  expect((await admin.client.listAuditLogs({ orgSlug, action: 'integration.created', limit: 200 })).auditLogs).toHaveLength(30)
  const failed = world.log.lines.filter((line) => /"level":"(error|fatal)"/.test(line))
  expect(failed).toEqual([])
}

const none = pgbouncerVersion ? '' : 'no pgbouncer is installed here: `apt-get install pgbouncer`, or name one in PGBOUNCER'
const tooOld = none || (pgbouncerVersion! >= 121 ? '' : 'this PgBouncer is older than 1.21, which learned prepared statements')

describe.skipIf(none !== '')(none || 'a PgBouncer', () => {
  it.each(['session', 'transaction'])(
    'in %s mode that refuses our start-up parameters is named at the start, with both remedies',
    async (pool_mode) => {
      const databaseUrl = await behind({ pool_mode })
      const time = stopwatch()
      const log = { info: () => {}, warn: () => {} }
      const starting = connectDatabase({ databaseUrl, dataDir: '.', max: 2, prepare: true, log })
      await expect(starting).rejects.toThrow(/DATABASE_PREPARE=false.*ignore_startup_parameters = statement_timeout, lock_timeout/s)
      expect(time()).toBeLessThan(14_000)
    },
  )

  it('is named by doctor: what it refuses, and that only the account can limit statements then', async () => {
    const findings = async (settings: Record<string, string>, DATABASE_PREPARE: string) => {
      const env = {
        DATABASE_URL: await behind({ pool_mode: 'transaction', ...settings }),
        DATABASE_PREPARE,
        PUBLIC_URL: 'http://127.0.0.1:9',
      }
      const found = []
      for await (const { what, state, says } of examine(readConfig({ ...env, SEAL_KEYS: newSealKey('k1') })))
        found.push({ what, state, says })
      return found
    }
    const refused = { what: 'database', state: 'wrong', says: expect.stringContaining('Set DATABASE_PREPARE=false, or add this line') }
    expect(await findings({}, 'true')).toContainEqual(refused)
    const unlimited = { what: 'timeouts', state: 'note', says: expect.stringContaining('have no time limit') }
    expect(await findings({}, 'false')).toContainEqual(unlimited)
  })

  it('in session mode serves with `ignore_startup_parameters`', async () => {
    await expectService(await behind({ pool_mode: 'session', default_pool_size: 20, ignore_startup_parameters: IGNORED }), true)
  })

  it.each(['session', 'transaction'])('in %s mode serves with DATABASE_PREPARE=false', async (pool_mode) => {
    await expectService(await behind({ pool_mode, ...(pool_mode === 'session' && { default_pool_size: 20 }) }), false)
  })
})

describe.skipIf(tooOld !== '')(tooOld || 'a PgBouncer that knows prepared statements', () => {
  const settings = { pool_mode: 'transaction', ignore_startup_parameters: IGNORED, max_prepared_statements: 500 }

  it('in transaction mode serves with statements prepared', async () => {
    await expectService(await behind(settings), true)
  })

  it('and with fewer of them than we have', async () => {
    await expectService(await behind({ ...settings, max_prepared_statements: 5 }), true)
  })

  it('ignores our time-outs, so that the account must have them', async () => {
    const databaseUrl = await behind(settings)
    const { db, close } = await connectDatabase({
      databaseUrl,
      dataDir: '.',
      max: 2,
      prepare: true,
      log: { info: () => {}, warn: () => {} },
    })
    onTestFinished(close)
    expect(await db.query(sql`select current_setting('statement_timeout') as timeout`)).toEqual([{ timeout: '0' }])
  })
})
