// Runs beside the service, in a thread of its own: what it sends, reads and answers costs the service's thread nothing.
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { parentPort } from 'node:worker_threads'
import type { Asked, HostileAnswer } from './outsider.ts'

const port = parentPort!
let next: HostileAnswer = { status: 200, headers: {}, body: new Uint8Array() }
let asked = 0

const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
  asked++
  request.resume()
  request.on('end', () => {
    response.writeHead(next.status, { 'content-length': next.body.length, ...next.headers })
    response.end(Buffer.from(next.body))
  })
})

function send(to: number, bytes: Uint8Array, said: (answer: string) => void): void {
  const socket = connect(to, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', () => {})
  socket.on('close', () => said(Buffer.concat(chunks).subarray(0, 4000).toString('latin1')))
  socket.write(Buffer.from(bytes))
}

port.on('message', (message: Asked) => {
  if ('answer' in message) {
    next = message.answer
    asked = 0
    port.postMessage({ id: message.id })
  } else if ('bytes' in message) send(message.to, message.bytes, (answer) => port.postMessage({ id: message.id, answer, asked }))
})
server.listen(0, '127.0.0.1', () =>
  port.postMessage({ id: 0, answer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }),
)
