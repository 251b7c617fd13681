// Many requests in the same moment: every socket is open,
// and every request but its last byte is there, before any of them is let go.
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Shot {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}
export interface ShotAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const PATIENCE_MS = 60_000

/**
 * `heldMs`: how long the last bytes are kept back.
 * Meanwhile the services read who calls, so that all of them are past the door.
 */
export async function volley(urls: readonly string[], shots: readonly Shot[], heldMs: number): Promise<ShotAnswer[]> {
  const sockets = await Promise.all(shots.map((_, i) => open(urls[i % urls.length]!)))
  try {
    const answers = sockets.map(answerOn)
    const requests = shots.map(bytesOf)
    for (const [i, socket] of sockets.entries()) socket.write(requests[i]!.subarray(0, -1))
    if (heldMs) await sleep(heldMs)
    for (const [i, socket] of sockets.entries()) socket.write(requests[i]!.subarray(-1))
    return await Promise.all(answers)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

export const open = (url: string) =>
  new Promise<Socket>((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })

function bytesOf({ method, path, headers = {}, body }: Shot): Buffer {
  const payload = body === undefined ? '' : JSON.stringify(body)
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(payload)}`]),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${payload}`)
}

/**
 * The service closes behind its answer:
 * whatever came until then is the answer, also where it did not want to hear the end.
 */
export const answerOn = (socket: Socket) =>
  new Promise<ShotAnswer>((resolve, reject) => {
    const chunks: Buffer[] = []
    let failure = new Error('the connection was closed without an answer')
    const timer = setTimeout(() => reject(new Error(`no answer within ${PATIENCE_MS} ms`)), PATIENCE_MS)
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', (error) => {
      failure = error
    })
    socket.on('close', () => {
      clearTimeout(timer)
      const [head = '', ...rest] = Buffer.concat(chunks).toString().split('\r\n\r\n')
      const [first = '', ...lines] = head.split('\r\n')
      const headers = lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()])
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1])
      if (status) resolve({ status, headers: Object.fromEntries(headers), body: rest.join('\r\n\r\n') })
      else reject(failure)
    })
  })
