// The claim of an Idempotency-Key commits with the change that it is for. So it also tells,
// when the answer to COMMIT was lost, whether the change was made.
import type { Call } from '../call.ts'
import { exactly } from '../db/exactly.ts'
import type { CommitLost, Database } from '../db/pool.ts'
import { type RunQuery, sql } from '../db/sql.ts'
import { refuse } from '../refusal.ts'

type Claim = NonNullable<Call['idempotency']>

const whereClaimed = ({ caller, operation, pathHash, key, since }: Claim) => sql`caller = ${caller} and operation = ${operation}
  and path_hash = ${pathHash} and key = ${key} and ${exactly(sql`started_at`)} = ${since}`

/**
 * A claim that was taken over meanwhile rolls the change back: the other request makes it.
 * Returns the mark that this transaction alone leaves on its claim.
 */
export async function commitClaim(query: RunQuery, claim: Claim): Promise<string> {
  const [claimed] = await query<{ mark: string }>(
    sql`update idempotency set committed_at = now() where ${whereClaimed(claim)} returning ${exactly(sql`committed_at`)} as mark`,
  )
  return claimed ? claimed.mark : refuse('request_running', { headers: { 'retry-after': '1' } })
}

/**
 * Returns if the change was made. Otherwise throws what the caller is to be told: that nothing was changed, or that nobody knows.
 * The row stays locked until that transaction has ended, so a look that succeeds is final.
 */
export async function confirmCommit(db: Pick<Database, 'query'>, claim: Claim, mark: string, lost: CommitLost): Promise<void> {
  if (!lost.silent) throw lost
  // Not by `where committed_at`: the row as it was before would not match, and so would not be waited for.
  const [row] = await db
    .query<{ made: boolean | null }>(
      sql`select ${exactly(sql`committed_at`)} = ${mark} as made from idempotency where ${whereClaimed(claim)} for share`,
    )
    .catch(() => {
      throw lost
    })
  if (!row?.made) throw lost.cause
}
