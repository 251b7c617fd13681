// What a row takes on disk, its indexes included: what a database grows by.
import { type Measure, rounded } from './measure.ts'
import { createBench } from './setup.ts'
import { BULK, fillDatabase } from './tenants.ts'

const ORGANIZATIONS = 1000
const ENTRIES = 100
const CHECKS = 10
const TABLES = ['audit_entries', 'integrations', 'integration_checks', 'members', 'api_keys']

export async function* room(): AsyncIterable<Measure> {
  const bench = await createBench(BULK)
  try {
    const { database } = bench
    await fillDatabase(bench, { organizations: ORGANIZATIONS, entries: ENTRIES })
    await database.operator(`insert into integration_checks (organization_id, integration_id, kind, outcome, status, duration_ms)
      select organization_id, id, 'check', 'verified', 'active', 300 from integrations, generate_series(1, ${CHECKS})`)
    for (const table of TABLES) {
      const [weighed] = await database.operator<{ rows: number; bytes: number }>(
        `select count(*)::int as rows, pg_total_relation_size('${table}')::float8 as bytes from ${table}`,
      )
      const { rows, bytes } = weighed!
      yield { what: `${rows} rows of ${table}`, numbers: { bytesPerRow: Math.round(bytes / rows), megabytes: rounded(bytes / 1_048_576) } }
    }
  } finally {
    await bench.remove()
  }
}
