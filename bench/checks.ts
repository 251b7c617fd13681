// A sweep over many integrations: every one is due,
// several replicas' worth of keepers take them from the table and ask the twins.
import { fork } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startApp } from '../api/src/app.ts'
import type { Parts } from '../api/src/call.ts'
import { readConfig } from '../api/src/config.ts'
import { inTransaction } from '../api/src/db/pool.ts'
import { sql } from '../api/src/db/sql.ts'
import { sealCredential } from '../api/src/features/integrations/credential.ts'
import { countDue, keepHealthy } from '../api/src/features/integrations/keep-healthy.ts'
import { createHttp } from '../api/src/providers/http.ts'
import { type Credential, credentialOf } from '../api/src/providers/provider.ts'
import { createVendorSessions } from '../api/src/providers/vendor-sessions.ts'
import { createSandbox } from '../api/src/sandbox/index.ts'
import { newSealKey } from '../api/src/vault/key-ring.ts'
import { removeScratch, scratchFolder } from '../proof/scratch.ts'
import { type Measure, watchMemory } from './measure.ts'

const REPLICAS = 3
const SIZES = [1000, 10_000]
const secret = randomBytes(16).toString('hex')
const minting = createSandbox({ secret, environment: 'test' })

/** One system of each kind: a grant by consent, a login that became a token, a token that was pasted. */
const kinds: { provider: string; settings: object; credential: () => Credential }[] = [
  {
    provider: 'google_ads',
    settings: { customerId: '1234567890' },
    credential: () => {
      const scopes = ['https://www.googleapis.com/auth/adwords']
      return credentialOf(
        {},
        { scopes, accessToken: minting.mint('google_ads', 'access', { scopes }), accessExpiresAt: '2100-01-01T00:00:00.000Z' },
      )
    },
  },
  {
    provider: 'xandr',
    settings: {},
    credential: () =>
      credentialOf(
        { username: 'api-user', password: 'not-sent' },
        { accessToken: minting.mint('xandr', 'access'), accessExpiresAt: '2100-01-01T00:00:00.000Z' },
      ),
  },
  { provider: 'stackadapt', settings: { advertiserId: '1234567890' }, credential: () => credentialOf({ apiKey: 'bench-graphql-key' }) },
]

export async function* checks(): AsyncIterable<Measure> {
  const dataDir = scratchFolder('bench')
  const twins = fork(fileURLToPath(new URL('twins.ts', import.meta.url)), [secret])
  const url = await new Promise<string>((resolve) => twins.once('message', (message) => resolve(String(message))))
  const settings = {
    NODE_ENV: 'test',
    PORT: '0',
    DATA_DIR: dataDir,
    ROLES: 'api',
    LOG_LEVEL: 'error',
    DATABASE_POOL: '24',
    SEAL_KEYS: newSealKey('bench'),
  }
  const app = await startApp(readConfig(settings), { sandbox: { url, close: async () => {} } })
  const memory = watchMemory()
  try {
    const peaks: number[] = []
    for (const size of SIZES) {
      await seed(app.parts, size)
      memory.peak()
      const seconds = await sweep(app.parts, url)
      const peak = memory.peak()
      peaks.push(peak.heldMegabytes)
      const [found] = await app.parts.db.query<{ verified: number }>(
        sql`select count(*)::int as verified from integration_checks where outcome = 'verified'`,
      )
      yield {
        what: `${size} integrations checked by ${REPLICAS} keepers`,
        numbers: { seconds: round(seconds), perSecond: Math.round(size / seconds), ...peak, verified: found!.verified },
        good: found!.verified === size,
      }
      await app.parts.db.query(sql`truncate integrations cascade`)
    }
    const [small, large] = peaks as [number, number]
    yield {
      what: 'what is held in memory, from the small sweep to the large',
      numbers: { growth: round(large / small) },
      good: large < small * 1.25,
    }
  } finally {
    memory.stop()
    await app.stop()
    twins.kill()
    removeScratch(dataDir)
  }
}

const round = (number: number) => Math.round(number * 100) / 100

/** Each keeper has vendor sessions of its own, as the process it stands for would. */
async function sweep(parts: Parts, url: string): Promise<number> {
  const began = performance.now()
  const keepers = Array.from({ length: REPLICAS }, () => {
    const vendorSessions = createVendorSessions({
      environment: {},
      http: createHttp({ forbidden: inTransaction }),
      sandbox: { url, publicUrl: url },
    })
    return keepHealthy({ ...parts, vendorSessions })
  })
  while ((await countDue(parts)) > 0) await sleep(100)
  await Promise.all(keepers.map((keeper) => keeper.stop()))
  return (performance.now() - began) / 1000
}

/** In portions, so that the memory that is measured is the sweep's and not the seeding's. */
async function seed({ db, vault }: Parts, size: number): Promise<void> {
  const slug = `bench-${randomBytes(4).toString('hex')}`
  const [organization] = await db.query<{ id: string }>(
    sql`insert into organizations (slug, name, domain) values (${slug}, ${slug}, ${`${slug}.example`}) returning id`,
  )
  const organization_id = organization!.id
  await db.query(sql`insert into audit_heads (organization_id) values (${organization_id})`)
  for (let from = 0; from < size; from += 500) {
    const [workspace] = await db.query<{ id: string }>(
      sql`insert into workspaces (organization_id, slug, name) values (${organization_id}, ${`client-${from}`}, 'Client') returning id`,
    )
    const workspace_id = workspace!.id
    const rows = Array.from({ length: Math.min(500, size - from) }, (_, i) => {
      const { provider, settings, credential } = kinds[i % kinds.length]!
      const id = randomUUID()
      return { id, provider, settings, sealed: sealCredential({ vault }, { organization_id, workspace_id, id }, credential()) }
    })
    await db.query(sql`insert into integrations (organization_id, workspace_id, id, provider, name, status, settings, credential, check_due_at)
      select ${organization_id}, ${workspace_id}, r.id, r.provider, 'Many', 'active', r.settings, r.sealed, now() - interval '1 second'
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id uuid, provider text, settings jsonb, sealed text)`)
  }
}
