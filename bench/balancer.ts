// A balancer that passes whole connections on, in turn, and reads none of them:
// what it costs, it costs one replica and two alike.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

const [{ ports }] = (await once(process, 'message')) as [{ ports: number[] }]
let turn = 0
const server = createServer({ noDelay: true }, (client) => {
  const replica = connect({ port: ports[turn++ % ports.length]!, host: '127.0.0.1', noDelay: true })
  client.pipe(replica).pipe(client)
  for (const end of [client, replica])
    end.on('error', () => {
      client.destroy()
      replica.destroy()
    })
}).listen(0, '127.0.0.1')
await once(server, 'listening')
process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
process.on('disconnect', () => process.exit())
