// The template of the test databases on a Citus cluster that is there already: `CITUS_NODES` are the addresses of its
// coordinator and its workers, without a database. Each node has its own copy of every database.
import pg from 'pg'
import { distributionPlan } from '../src/admin/distribution-plan.ts'
import { migrate } from '../src/db/migrate.ts'

/** Few: a statement over all of them is planned, sent and prepared for each. */
const SHARDS = 4

/** As an operator of one node, in one database of it. */
export async function asOperator<T>(node: string, database: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: `${node}/${database}` })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export async function createTemplate(nodes: readonly string[], template: string): Promise<void> {
  for (const node of nodes) {
    await asOperator(node, 'postgres', async (client) => {
      await client.query(`drop database if exists ${template} with (force)`)
      await client.query(`create database ${template}`)
    })
    await asOperator(node, template, (client) => client.query('create extension citus'))
  }
  const [coordinator, ...workers] = nodes.map((node) => new URL(node))
  await asOperator(nodes[0]!, template, async (client) => {
    await client.query('select citus_set_coordinator_host($1, $2)', [coordinator!.hostname, Number(coordinator!.port)])
    for (const { hostname, port } of workers) await client.query('select citus_add_node($1, $2)', [hostname, Number(port)])
  })
  await migrate({ connectionString: `${nodes[0]}/${template}` })
  await asOperator(nodes[0]!, template, async (client) => {
    await client.query('begin')
    for (const { statement } of await distributionPlan(client, SHARDS)) await client.query(statement)
    await client.query('commit')
  })
  // Nobody may be connected to what is copied, not even the daemon that looks after it.
  for (const node of nodes)
    await asOperator(node, 'postgres', async (client) => {
      await client.query(`alter database ${template} with allow_connections false`)
      await client.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [template])
    })
}
