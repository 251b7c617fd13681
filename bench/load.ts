// The load, in a process of its own: keep-alive connections that
// each send the next request as soon as the last one is answered.
// Requests are bytes made beforehand and answers are only measured out,
// so that the generator takes little of the machine it measures.
import { connect } from 'node:net'

export interface LoadOptions {
  readonly port: number
  /** Per connection the requests it sends, over and over. */
  readonly requests: readonly (readonly string[])[]
  readonly seconds: number
}

export interface LoadResult {
  readonly count: number
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

/** The bytes of a request; the same ones for every server that is asked. */
export function requestBytes(method: string, path: string, headers: Record<string, string>, body?: unknown): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  const all = {
    host: 'localhost',
    ...headers,
    ...(text && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`
}

async function generate({ port, requests, seconds }: LoadOptions): Promise<LoadResult> {
  const times: number[] = []
  const began = performance.now()
  await Promise.all(requests.map((list) => converse(port, list.map(Buffer.from), began + seconds * 1000, times)))
  const took = (performance.now() - began) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
  return { count: times.length, perSecond: times.length / took, p50: at(0.5), p99: at(0.99) }
}

/** One connection: whatever is under way when the time is over is still answered and counted. */
function converse(port: number, requests: readonly Buffer[], until: number, times: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let [turn, sent] = [0, 0]
    let answer: Buffer = Buffer.alloc(0)
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const next = () => {
      sent = performance.now()
      socket.write(requests[turn++ % requests.length]!)
    }
    socket.once('connect', next)
    socket.on('data', (chunk: Buffer) => {
      answer = answer.length ? Buffer.concat([answer, chunk]) : chunk
      if (!isWhole(answer)) return
      const now = performance.now()
      if (answer[9] !== TWO) return void socket.destroy(new Error(`answered ${answer.toString('utf8', 0, 1000)}`))
      times.push(now - sent)
      answer = Buffer.alloc(0)
      if (now < until) next()
      else socket.end()
    })
    socket.once('error', reject)
    socket.once('close', () => (performance.now() < until ? reject(new Error('the server hung up')) : resolve()))
  })
}

const TWO = '2'.charCodeAt(0)
const END_OF_HEAD = Buffer.from('\r\n\r\n')

function isWhole(answer: Buffer): boolean {
  const head = answer.indexOf(END_OF_HEAD)
  if (head < 0) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(answer.toString('latin1', 0, head))
  if (length) return answer.length >= head + 4 + Number(length[1])
  // Chunked.
  return answer.toString('latin1', 9, 12) === '204' || answer.toString('latin1', answer.length - 5) === '0\r\n\r\n'
}

if (process.send) {
  process.on('message', (load: LoadOptions) => {
    void generate(load).then(
      (answered) => process.send!({ answered }),
      (error: Error) => process.send!({ error: error.message }),
    )
  })
  process.on('disconnect', () => process.exit())
}
