// A visit to a consent screen. Its state is sealed and carries everything,
// so that no cookie is needed; its id is in the database, once.
import { randomUUID } from 'node:crypto'
import type { Parts } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import type { FieldValues } from '../../providers/provider.ts'

/**
 * How a client came: by a link for one integration · as an item of a request, by the request's link ·
 * by a link for one item that was passed on.
 */
export type Way = 'link' | 'item' | 'passed_on'

export interface ConsentVisit {
  readonly id: string
  readonly organizationId: string
  readonly integrationId: string
  readonly provider: string
  /** Of the link the client came through: one that was replaced meanwhile is refused. */
  readonly linkHash: string
  /** None from an older process: a link. */
  readonly way?: Way
  readonly itemId?: string | null
  readonly codeVerifier: string
  readonly fields: FieldValues
}

const MINUTES = 10
const BINDING = ['connect_visits', 'state']

/** An id that works once: whoever deletes its row has used it. */
export async function oneTime({ db }: Pick<Parts, 'db'>, minutes: number): Promise<string> {
  const id = randomUUID()
  await db.query(sql`insert into connect_visits (id, expires_at) values (${id}, now() + make_interval(mins => ${minutes}))`)
  return id
}

export async function beginVisit(parts: Parts, visit: Omit<ConsentVisit, 'id'>): Promise<string> {
  const { vault } = parts
  const id = await oneTime(parts, MINUTES)
  return vault.seal(JSON.stringify({ id, ...visit }), BINDING)
}

/** Undefined for a state that is not exactly one of ours. It still works once only: see `endVisit`. */
export function readVisit({ vault }: Parts, state: string): ConsentVisit | undefined {
  try {
    return JSON.parse(vault.open(state, BINDING))
  } catch {
    return undefined
  }
}

/** One statement: of a hundred callbacks with one state, one goes on. The time, if it still worked. */
export async function endVisit({ db }: Parts, { id }: ConsentVisit): Promise<Date | undefined> {
  const [spent] = await db.query<{ now: Date; live: boolean }>(
    sql`delete from connect_visits where id = ${id} returning now() as now, expires_at > now() as live`,
  )
  return spent?.live ? spent.now : undefined
}
