// The limit of a proxy: node:http on both sides, the statements of the service, and a pipe between.
// It opens no credential, judges nothing and looks for no secrets.
import { Agent, createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { askedBy } from './bare.ts'

export interface BareProxy {
  readonly connection: pg.ClientConfig
  readonly max: number
  /** The texts as the service sends them: who calls, the limits, the integration and whether it may be called now. */
  readonly texts: readonly [identify: string, limits: string, integration: string]
  /** What the limits are counted by; of the same length as the service's. */
  readonly buckets: readonly string[]
  readonly vendor: string
}

process.once('message', ({ connection, max, texts, buckets, vendor }: BareProxy) => {
  const pool = new pg.Pool({ ...connection, max })
  const agent = new Agent({ keepAlive: true })
  const [identify, limits, integration] = texts
  const run = async (name: string, text: string, values: unknown[]) => (await pool.query({ name, text, values })).rows
  const server = createServer(async (request, response) => {
    try {
      const [caller] = await run('identify', identify, askedBy(request))
      const [, , , , , , , id, , ...path] = request.url!.split('/')
      const { organization_id: organization, workspace_id: workspace } = caller
      await run('limits', limits, [
        buckets.map((bucket) => bucket + id!.slice(0, 8)),
        buckets.map(() => 60),
        buckets.map(() => 2 ** 31 - 1),
      ])
      const [row] = await run('integration', integration, [organization, id, workspace])
      const headers = { authorization: `Bearer ${row.credential.slice(0, 100)}` }
      const asked = get(`${vendor}/${path.join('/')}`, { agent, headers }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(response)
      })
      response.once('close', () => asked.destroy())
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  server.listen(0, '127.0.0.1', () => process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
})
process.on('disconnect', () => process.exit())
