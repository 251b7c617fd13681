// How Citus would run a statement: on how many shards, for each part of its plan.
import pg from 'pg'

interface PlanNode {
  readonly [name: string]: unknown
}

function taskCounts(node: unknown): number[] {
  if (Array.isArray(node)) return node.flatMap(taskCounts)
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node as PlanNode).flatMap(([name, value]) => (name === 'Task Count' ? [value as number] : taskCounts(value)))
}

/** The statements that more than one shard would run, each with its counts. */
export async function spreadStatements(
  databaseUrl: string,
  statements: Iterable<readonly [text: string, values: readonly unknown[]]>,
): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const spread: string[] = []
  try {
    for (const [text, values] of statements) {
      if (!/^\s*(select|insert|update|delete|with)\b/i.test(text)) continue
      const { rows } = await client.query({ text: `explain (format json, costs off) ${text}`, values: [...values] })
      const counts = taskCounts(rows[0]['QUERY PLAN'])
      if (counts.some((count) => count > 1)) spread.push(`${counts.join(', ')} shards: ${text}`)
    }
  } finally {
    await client.end()
  }
  return spread
}
