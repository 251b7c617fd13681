import { randomBytes, randomUUID } from 'node:crypto'
import { json } from 'node:stream/consumers'
import pg from 'pg'
import { askedBy, serveBare, shape } from './bare.ts'

export interface BareWrite {
  readonly connection: pg.ClientConfig
  readonly max: number
  /** The texts as the service sends them, by what they do: first who calls, then the transaction. */
  readonly texts: Record<'identify' | 'lock' | 'count' | 'insert' | 'audit', string>
}

interface IntegrationBody {
  readonly provider: string
  readonly name: string
  readonly settings: object
}

/** As long as the sealed token of a link; nothing is sealed here. */
const SEALED = `v1.bench.${'A'.repeat(95)}`

serveBare(({ connection, max, texts }: BareWrite) => {
  const pool = new pg.Pool({ ...connection, max })
  return async (request) => {
    const { rows: found } = await pool.query({ name: 'identify', text: texts.identify, values: askedBy(request) })
    const { organization_id: organization, workspace_id: workspace, user_id: user } = found[0]
    const { provider, name, settings } = (await json(request)) as IntegrationBody
    const client = await pool.connect()
    const run = (what: keyof typeof texts, values: unknown[]) => client.query({ name: what, text: texts[what], values })
    try {
      await client.query('begin')
      await run('lock', [organization, workspace])
      await run('count', [organization, workspace])
      const id = randomUUID()
      const integration = [organization, id, workspace, provider, name, JSON.stringify(settings), null, null, 'read', null, null, user]
      const { rows } = await run('insert', [...integration, organization, id, randomBytes(32), SEALED, 7])
      await run('audit', [organization, entry(found[0], id, name), found[0].power ?? null, false])
      await client.query('commit')
      return JSON.stringify({ ...shape(rows[0]), connectUrl: 'http://localhost:3000/connect/' })
    } catch (error) {
      await client.query('rollback')
      throw error
    } finally {
      client.release()
    }
  }
})

const entry = (caller: pg.QueryResultRow, id: string, name: string) =>
  JSON.stringify({
    id: randomUUID(),
    action: 'integration.created',
    outcome: 'success',
    actor: { type: 'user', id: caller.user_id, email: caller.email, name: caller.user_name, keyPrefix: null },
    target: { type: 'integration', id, name },
    workspace: { slug: caller.workspace_slug, name: caller.workspace_name },
    changes: [],
    context: { via: 'bearer', ip: '127.0.0.1', userAgent: null, requestId: randomUUID() },
    metadata: { provider: 'google_ads', expiresInDays: 7, callPolicy: { mode: 'read', accounts: null } },
  })
