// A page of the audit trail at the far end of a long one, beside the first page:
// the same work, and about the same time.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { newestBelow } from '../api/src/audit/read.ts'
import { startEmbedded } from '../api/src/db/embedded.ts'
import { migrate } from '../api/src/db/migrate.ts'
import { openPool } from '../api/src/db/pool.ts'
import { type Fragment, sql } from '../api/src/db/sql.ts'
import type { Finding, Size } from './finding.ts'
import { removeScratch, scratchFolder } from './scratch.ts'

const LENGTH: Record<Size, number> = { small: 100_000, full: 1_000_000 }
const ROUNDS = 200
const PAGE = 51

export async function* pages(size: Size): AsyncGenerator<Finding> {
  const folder = scratchFolder()
  const server = await startEmbedded(folder)
  const connection = { ...server.connection, database: 'proof' }
  const db = openPool(connection, { max: 2 })
  try {
    await run(server.connection, 'create database proof')
    await migrate(connection)
    const [organization, length] = [randomUUID(), LENGTH[size]]
    yield { tried: 'a trail', found: `${length} entries in ${await fill(connection, organization, length)} s` }

    const page = (below: number) => newestBelow(organization, {}, below, PAGE)
    const buffers = async (statement: Fragment) => {
      const [row] = await db.query(sql`explain (analyze, buffers, format json) ${statement}`)
      const { Plan: plan } = row!['QUERY PLAN'][0]
      return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    }
    const [first, last] = [await buffers(page(length)), await buffers(page(PAGE + 1))]
    yield { tried: 'blocks read for the first and the last page', found: `${first} and ${last}`, good: last <= first + 2 }

    const median = async (below: number) => {
      const times: number[] = []
      for (let i = 0; i < ROUNDS; i++) {
        const began = performance.now()
        await db.query(page(below))
        times.push(performance.now() - began)
      }
      return times.sort((a, b) => a - b)[ROUNDS / 2]!
    }
    const [soon, late] = [await median(length), await median(PAGE + 1)]
    yield {
      tried: `median time of ${ROUNDS} reads of each`,
      found: `${soon.toFixed(2)} and ${late.toFixed(2)} ms`,
      good: late < soon * 3 + 1,
    }

    const rare = await buffers(newestBelow(organization, { workspace: 'rare' }, Number.MAX_SAFE_INTEGER, PAGE))
    yield { tried: 'blocks read for a page of what happened ten times', found: String(rare), good: rare < 100 }
  } finally {
    await db.end()
    await server.stop()
    removeScratch(folder)
  }
}

/** Only the length matters here: the hashes are empty. */
async function fill(connection: pg.ClientConfig, organization: string, length: number): Promise<number> {
  const entry = (workspace: string) =>
    JSON.stringify({
      action: 'workspace.updated',
      actor: { id: randomUUID() },
      target: { type: 'workspace', id: randomUUID() },
      workspace: { slug: workspace },
    })
  const began = performance.now()
  await run(
    connection,
    `insert into audit_entries (organization_id, sequence, created_at, content, previous_hash, hash)
     select $1, n, '2026-01-01'::timestamptz + n * interval '1 second', case when n % ($4::bigint / 10) = 0 then $2 else $3 end, '\\x', '\\x'
     from generate_series(1, $4::bigint) n`,
    [organization, entry('rare'), entry('common'), length],
  )
  await run(connection, 'vacuum analyze audit_entries')
  return Math.round((performance.now() - began) / 1000)
}

/** One statement outside the pool, which has the service's time-outs. */
async function run(connection: pg.ClientConfig, text: string, values: unknown[] = []): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query(text, values)
  } finally {
    await client.end()
  }
}
