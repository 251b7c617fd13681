// The orders of the list. Each is a row of segments, one after the other, and each segment is sorted by keys that an index has:
// a page is read where the one before it ended, and costs the same whatever the number of integrations.
import type { Query } from '@adjoin/contract'
import { type Fragment, sql } from '../../db/sql.ts'

export type Order = Query<'listOrganizationIntegrations'>['sort']

interface Segment {
  readonly where: Fragment
  /** One or two, before the id; `type` is what a key is compared as. */
  readonly keys: readonly { readonly column: Fragment; readonly type: Fragment }[]
}

/** Where a page ended: the segment's number, its keys as text, and the id of its last integration. */
export type Position = readonly [segment: number, keys: readonly string[], id: string]

/** Access that ends so soon needs somebody. */
const EXPIRING = sql`interval '14 days'`

const TEXT = sql`text`
const byName = { column: sql`i.name_key`, type: TEXT }
const byWorkspace = { column: sql`w.name_key`, type: TEXT }
const byGrantEnd = { column: sql`coalesce(i.grant_ends_at, 'infinity')`, type: sql`timestamptz` }
const having = (where: Fragment, ...keys: Segment['keys']): Segment => ({ where, keys })
const ofStatus = (status: string, and = sql``) => having(sql`i.status = ${status} ${and}`, byName)

const soon = sql`coalesce(i.grant_ends_at, 'infinity') <= now() + ${EXPIRING}`

const orders: Record<Order, readonly Segment[]> = {
  need: [
    ofStatus('error'),
    having(sql`i.status = 'active' and ${soon}`, byGrantEnd),
    ofStatus('pending'),
    ofStatus('active', sql`and not ${soon}`),
    ofStatus('disabled'),
  ],
  name: [having(sql`true`, byName)],
  workspace: [having(sql`true`, byWorkspace, byName)],
  status: ['error', 'pending', 'active', 'disabled'].map((status) => ofStatus(status)),
  grantEndsAt: [having(sql`true`, byGrantEnd)],
}

const list = (parts: readonly Fragment[]): Fragment => parts.reduce((all, one) => sql`${all}, ${one}`)

/** The ids of a page, by `segment` and `nth` in it, with their keys; one more than `limit`, to know whether others follow. */
export function pageOfIds(order: Order, from: Fragment, where: Fragment, limit: number, after: Position | undefined): Fragment {
  const segments = orders[order].flatMap(({ where: here, keys }, number) => {
    if (after && number < after[0]) return []
    const columns = list([...keys.map(({ column }) => column), sql`i.id`])
    const last = list([...keys.map(({ type }, k) => sql`${after?.[1][k] ?? ''}::${type}`), sql`${after?.[2] ?? ''}::uuid`])
    const texts = list(keys.map(({ column }) => sql`${column}::text`))
    return [
      sql`(select ${number}::int as segment, row_number() over (order by ${columns}) as nth, array[${texts}] as keys, i.id
        ${from} where ${where} and ${here} ${after?.[0] === number ? sql`and (${columns}) > (${last})` : sql``}
        order by ${columns} limit ${limit + 1})`,
    ]
  })
  return segments.reduce((all, one) => sql`${all} union all ${one}`)
}
