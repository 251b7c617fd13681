import pg from 'pg'
import { askedBy, serveBare, shape } from './bare.ts'

export interface BareList {
  readonly connection: pg.ClientConfig
  readonly max: number
  /** The texts as the service sends them. */
  readonly identify: string
  readonly list: string
}

serveBare(({ connection, max, identify, list }: BareList) => {
  const pool = new pg.Pool({ ...connection, max })
  return async (request) => {
    const { rows: found } = await pool.query({ name: 'identify', text: identify, values: askedBy(request) })
    const { organization_id, workspace_id } = found[0]
    const { rows } = await pool.query({ name: 'list', text: list, values: [organization_id, workspace_id, null, null, null, null] })
    return JSON.stringify({ integrations: rows.map(shape) })
  }
})
