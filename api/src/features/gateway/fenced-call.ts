// Holds a call against the accounts that the call policy allows, and remembers the report jobs that are started inside.
import type { CallOutcome } from '@adjoin/contract'
import type { Parts } from '../../call.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { type AccountKnowledge, decide, type FenceVerdict } from '../../gateway/fences/decide.ts'
import type { RememberRow } from '../../gateway/fences/fence.ts'
import type { Located } from '../../gateway/fences/locate.ts'
import type { VendorAnswer } from '../../gateway/vendor-answer.ts'
import { parseJson, textAt } from '../../providers/answer.ts'
import type { IntegrationRow } from '../integrations/integration-row.ts'

const UNFENCED = 'Calls to this ad system can’t be limited to accounts, so none is sent. Ask a workspace admin to change the call policy.'

/** Undefined: this integration is not limited to certain accounts. Nothing is found where no fence can be held. */
export async function judgeFence(query: RunQuery, row: IntegrationRow, find: () => Located | undefined): Promise<FenceVerdict | undefined> {
  if (row.call_accounts === null) return undefined
  const located = find()
  if (!located) return { outside: UNFENCED }
  return decide(located, row.call_accounts, await knowledgeOf(query, row, located))
}

/** What calls and the trail say that a call was about. */
export function namedAccounts(located: Located | undefined, verdict: FenceVerdict | undefined): string | null {
  const accounts = verdict && 'inside' in verdict ? verdict.inside : [...(located?.accounts ?? []), ...(located?.mapped ?? [])]
  return accounts.length ? [...accounts].sort().join(', ').slice(0, 200) : null
}

/** Only what the call names is looked up. */
async function knowledgeOf(query: RunQuery, row: IntegrationRow, located: Located): Promise<AccountKnowledge> {
  const { via, mapped, accounts, handle } = located
  const at = sql`organization_id = ${row.organization_id} and integration_id = ${row.id}`
  const listed =
    via.length || mapped.length
      ? await query<{ id: string; roots: string[]; aliases: string[] }>(sql`select id, roots, aliases from integration_accounts
          where ${at} and (id = any(${[...accounts, ...(row.call_accounts ?? [])]}::text[]) or aliases && ${mapped}::text[])`)
      : []
  const [job] = handle
    ? await query<{ accounts: string[] }>(sql`select accounts from call_handles
        where ${at} and kind = ${handle.kind} and handle = ${handle.value} and expires_at > now()`)
    : []
  const owners = new Map<string, string[]>(mapped.map((alias) => [alias, []]))
  for (const { id, aliases } of listed) for (const alias of aliases) owners.get(alias)?.push(id)
  return {
    roots: new Map(listed.map(({ id, roots }) => [id, roots])),
    owners,
    handle: job?.accounts,
  }
}

/** A report is fetched within days; the newest thousand of an integration are kept. */
const HANDLE_DAYS = 30
const MOST_HANDLES = 1000
const PEEK_BYTES = 16 << 10
const PEEK_MS = 2000

/** A job that was started inside of a fence: whoever is fenced in may ask for it again. */
export async function rememberHandle(
  { db, log }: Pick<Parts, 'db' | 'log'>,
  row: IntegrationRow,
  { starts, inside }: { readonly starts: RememberRow | undefined; readonly inside: readonly string[] | undefined },
  { answer, outcome }: { readonly answer: VendorAnswer; readonly outcome: CallOutcome },
): Promise<void> {
  if (!starts || !inside?.length || outcome !== 'ok' || answer.status >= 300) return
  const { bytes, whole } = await answer.peek(PEEK_BYTES, PEEK_MS)
  // Names of operations end with the handle.
  const handle = whole
    ? textAt(parseJson(bytes.toString('utf8')), ...starts.id)
        ?.split('/')
        .at(-1)
    : undefined
  if (!handle || handle.length > 200) return
  const at = sql`organization_id = ${row.organization_id} and integration_id = ${row.id}`
  try {
    await db.query(sql`insert into call_handles (organization_id, integration_id, kind, handle, accounts, expires_at)
      values (${row.organization_id}, ${row.id}, ${starts.kind}, ${handle}, ${inside}, now() + make_interval(days => ${HANDLE_DAYS}))
      on conflict (organization_id, integration_id, kind, handle) do nothing`)
    await db.query(sql`delete from call_handles where ${at} and (kind, handle) in
      (select kind, handle from call_handles where ${at} order by expires_at desc offset ${MOST_HANDLES})`)
  } catch (error) {
    log.warn({ err: error, integration: row.id }, 'the handle of a report was not remembered')
  }
}
