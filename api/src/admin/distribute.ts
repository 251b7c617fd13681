// Distributes the database over the workers of a Citus cluster. Everything is one transaction: interrupted, nothing has changed.
import { parseArgs } from 'node:util'
import type pg from 'pg'
import type { Database } from '../db/pool.ts'
import { processName, runningProcesses } from '../features/infra/processes.ts'
import type { Progress } from './backup.ts'
import { type AdminCommand, asUsage, onDatabase, say, UsageError } from './command.ts'
import { distributionPlan, type PlannedStep } from './distribution-plan.ts'
import { progressBars } from './progress-bar.ts'
import { connect } from './tables.ts'

/** Why there is nothing to distribute over, and what to do first. */
async function refuseWithoutCluster(client: pg.Client): Promise<void> {
  const { rows: found } = await client.query<{ version: string | null; available: boolean }>(`select
    (select extversion from pg_extension where extname = 'citus') as version,
    exists (select 1 from pg_available_extensions where name = 'citus') as available`)
  const { version, available } = found[0]!
  if (version === null)
    throw new Error(
      available
        ? 'Citus is installed on this server, but not in this database. Run `create extension citus` in it, on every node.'
        : 'this database does not have Citus, which distributes PostgreSQL over several servers. Install it on every node (https://www.citusdata.com/download), ' +
            'add citus to shared_preload_libraries, restart them, and run `create extension citus` in this database on each.',
    )
  const { rows } = await client.query<{
    workers: number
    coordinator: number
  }>(`select count(*) filter (where groupid <> 0)::int as workers,
    count(*) filter (where groupid = 0)::int as coordinator from pg_dist_node where isactive and noderole = 'primary'`)
  if (!rows[0]!.coordinator)
    throw new Error(
      'the coordinator is not part of the cluster yet. Run `select citus_set_coordinator_host(HOST, PORT)` here, with its own address.',
    )
  if (!rows[0]!.workers) throw new Error('the cluster has no workers. Run `select citus_add_node(HOST, PORT)` here for each of them.')
}

async function refuseWhileRunning(db: Pick<Database, 'query'>): Promise<void> {
  const running = await runningProcesses(db)
  if (running.length)
    throw new Error(
      `the service is running: ${running.map(processName).join(', ')}. Stop it first, together with whatever restarts it, because its tables are locked while they move. Nothing was changed.`,
    )
}

export async function distribute(
  client: pg.Client,
  steps: readonly PlannedStep[],
  onProgress: (progress: Progress) => void,
  refuse: () => Promise<void>,
): Promise<void> {
  await client.query(
    "begin; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = '10s'",
  )
  try {
    for (const [done, { what, statement }] of steps.entries()) {
      onProgress({ done, total: steps.length })
      await client.query(statement).catch((error: Error) => {
        throw new Error(`${what}: ${error.message}. Nothing was changed.`, { cause: error })
      })
    }
    // A process that began meanwhile would not know of it. One that begins now waits here, looks, and ends.
    await client.query('lock table processes in exclusive mode')
    await refuse()
    await client.query('commit')
    onProgress({ done: steps.length, total: steps.length })
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

const options = { 'dry-run': { type: 'boolean', default: false }, shards: { type: 'string' } } as const

function optionsOf(args: readonly string[]): { dryRun: boolean; shards: number | undefined } {
  const { 'dry-run': dryRun, shards } = asUsage(() => parseArgs({ args: [...args], options }).values)
  if (shards !== undefined && !/^[1-9]\d{0,3}$/.test(shards)) throw new UsageError('--shards must be a number from 1 to 9999')
  return { dryRun, shards: shards === undefined ? undefined : Number(shards) }
}

export const distributeCommand: AdminCommand = {
  summary: 'Distribute the tables of tenants over the workers of a Citus cluster; --dry-run prints the plan',
  takes: '[--dry-run] [--shards NUMBER]',
  run: (config, args) => {
    const { dryRun, shards } = optionsOf(args)
    return onDatabase(async ({ db, connection }) => {
      const client = await connect(connection)
      try {
        await refuseWithoutCluster(client)
        const steps = await distributionPlan(client, shards)
        if (!steps.length) {
          say('everything is distributed already; nothing was changed')
          return 0
        }
        if (dryRun) {
          for (const { what, statement } of steps) say(`-- ${what}\n${statement};`)
          say(`-- ${steps.length} statements, in one transaction. Nothing was changed.`)
          return 0
        }
        await refuseWhileRunning(db)
        const { show, end } = progressBars()
        await distribute(client, steps, show('steps'), () => refuseWhileRunning(db)).finally(end)
        say(`distributed: ${steps.length} steps. Start the service again; every process must be started after this.`)
        return 0
      } finally {
        await client.end()
      }
    })(config, args)
  },
}
