// The tenants of a proof: in the database of replicas, any of which they may call.
import pg from 'pg'
import { statement } from '../api/src/db/sql.ts'
import { createTenants, type FurnishedOrganization, type FurnishedPerson } from '../furnishing/tenants.ts'

export type ProofPerson = FurnishedPerson
export type ProofOrganization = FurnishedOrganization
export type Furnish = ReturnType<typeof furnishBy>

export function furnishBy(connection: pg.ClientConfig) {
  const db = new pg.Pool({ ...connection, max: 4 })
  db.on('error', () => {}) // of a connection that nobody uses
  const one = async <R extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<R> =>
    (await db.query<R>(text, [...values])).rows[0]!
  const tenants = createTenants(
    async (fragment) => (await db.query(statement(fragment))).rows,
    (headers) => ({ headers }),
  )
  return { ...tenants, one, end: () => db.end() }
}
