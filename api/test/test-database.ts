// A migrated database of its own, cloned from the template that the whole run shares.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { TEMPLATE } from './global-setup.ts'

/** Its address. */
export async function newDatabase(): Promise<string> {
  const server = inject('server')
  const name = `world_${randomBytes(5).toString('hex')}`
  const operator = new pg.Client({ connectionString: `${server}/postgres` })
  await operator.connect()
  await operator.query(`create database ${name} template ${TEMPLATE}`)
  await operator.end()
  return `${server}/${name}`
}
