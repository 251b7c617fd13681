// The audit trail over HTTP, by key: its first page, and a page a million entries below it.

import { openPool } from '../api/src/db/pool.ts'
import { auditList } from '../api/src/features/audit/list-audit-logs.ts'
import { writeCursor } from '../api/src/features/cursor.ts'
import { parseKeyRing } from '../api/src/vault/key-ring.ts'
import { createVault } from '../api/src/vault/seal.ts'
import { loadSecrets } from '../api/src/vault/tokens.ts'
import { requestBytes } from './load.ts'
import { type Measure, rounded } from './measure.ts'
import { type Bench, createBench } from './setup.ts'
import { compare } from './sides.ts'
import { BULK, fillDatabase } from './tenants.ts'

const DEPTH = 1_000_000
const BELOW = 100 // that are still there to be read
const CONNECTIONS = 4

export async function* audit(): AsyncIterable<Measure> {
  const bench = await createBench(BULK)
  try {
    const began = performance.now()
    const { key, pages } = await seed(bench)
    yield { what: 'a trail', numbers: { entries: DEPTH + BELOW, seconds: Math.round((performance.now() - began) / 1000) } }

    const server = await bench.adjoin()
    const newest = async (page: string) => {
      const answer = await fetch(server.url + page, { headers: { 'x-api-key': key } })
      return ((await answer.json()) as { auditLogs: { sequence: number }[] }).auditLogs[0]!.sequence
    }
    const [above, below] = [await newest(pages.first), await newest(pages.deep)]
    yield { what: 'entries between the two pages', numbers: { first: above, deep: below }, good: above - below === DEPTH }

    const sides = Object.entries(pages).map(([name, path]) => ({
      name,
      ...server,
      requests: Array.from({ length: CONNECTIONS }, () => [requestBytes('GET', path, { 'x-api-key': key })]),
    }))
    const { of, ratio } = await compare(sides)
    yield {
      what: 'a page of fifty, milliseconds',
      numbers: { first: rounded(of('first').p50), deep: rounded(of('deep').p50), ratio: rounded(ratio('p50', 'deep', 'first')) },
      bars: { ratio: { most: 1.5 } },
    }
  } finally {
    await bench.remove()
  }
}

async function seed(bench: Bench): Promise<{ key: string; pages: Record<'first' | 'deep', string> }> {
  const [tenant] = await fillDatabase(bench, { organizations: 1, entries: DEPTH + BELOW })
  const { id, slug, key } = tenant!
  const db = openPool(bench.database.connection, { max: 1 })
  try {
    const secrets = await loadSecrets(db.query, createVault(parseKeyRing(bench.env.SEAL_KEYS!)))
    const first = `/v1/organizations/${slug}/audit-logs`
    // As the answer of the page above it would name it.
    return { key, pages: { first, deep: `${first}?cursor=${writeCursor(secrets, auditList(id, {}), (BELOW + 1).toString(36))}` } }
  } finally {
    await db.end()
  }
}
