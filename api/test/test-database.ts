// A migrated database of its own, cloned from the template that the whole run shares.
import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { asOperator } from './citus-template.ts'
import { TEMPLATE } from './template.ts'

/** Its address. */
export async function newDatabase(): Promise<string> {
  const server = inject('server')
  const name = `world_${randomBytes(5).toString('hex')}`
  for (const node of [...inject('workers'), server])
    await asOperator(node, 'postgres', async (operator) => {
      await operator.query(`create database ${name} template ${TEMPLATE}`)
      // Settings of a database are not copied with it.
      if (onCitus()) await operator.query(`alter database ${name} set citus.multi_shard_modify_mode = 'sequential'`)
    })
  return `${server}/${name}`
}

/** The suites run on several servers, each statement of a tenant on one of them. */
export const onCitus = (): boolean => inject('workers').length > 0
