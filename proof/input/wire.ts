// How a request goes out: by node's own client where that would send it, byte by byte where no client would.
import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'

export interface WireRequest {
  readonly method: string
  readonly target: string
  readonly lines: readonly (readonly [string, string])[]
  readonly body: string | Buffer | undefined
  /** Only raw bytes can say it. */
  readonly raw: boolean
  /** The service waits for more: it may end the connection without an answer. */
  readonly unfinished: boolean
}
export interface WireAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const PATIENCE_MS = 12_000
/** After an answer on a connection that stays open: time for a second one that should not come. */
const LINGER_MS = 40

export const createAgent = (sockets: number): Agent => new Agent({ keepAlive: true, maxSockets: sockets })

export async function deliver(port: number, agent: Agent, sent: WireRequest): Promise<WireAnswer[]> {
  if (!sent.raw) {
    const answer = await ordinary(port, agent, sent)
    if (answer) return [answer]
  }
  return raw(port, sent)
}

/** Undefined: node's client refuses to send such a thing. */
function ordinary(port: number, agent: Agent, { method, target, lines, body }: WireRequest): Promise<WireAnswer | undefined> {
  return new Promise((resolve, reject) => {
    try {
      const bodiless = body === undefined && /^(GET|HEAD)$/.test(method)
      const headers = [...lines, ...(bodiless ? [] : [['Content-Length', String(Buffer.byteLength(body ?? ''))]])].flat() as string[]
      const options = { host: '127.0.0.1', port, method, path: target, agent, setHost: false, headers, timeout: PATIENCE_MS }
      const request = httpRequest(options, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const all = Object.entries(response.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join('\n') : value!])
          resolve({ status: response.statusCode!, headers: Object.fromEntries(all), body: Buffer.concat(chunks).toString() })
        })
      })
      request.on('timeout', () => request.destroy(new Error('no answer')))
      request.on('error', reject)
      request.end(body)
    } catch {
      resolve(undefined)
    }
  })
}

export function bytesOf({ method, target, lines, body = '', raw: unmarked }: WireRequest): Buffer {
  const framed = unmarked && lines.some(([name]) => /^(content-length|transfer-encoding)\s*$/i.test(name))
  const length = body.length && !framed ? [`Content-Length: ${Buffer.byteLength(body)}`] : []
  const head = [`${method} ${target} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), ...length].join('\r\n')
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`), Buffer.from(body)])
}

function raw(port: number, sent: WireRequest): Promise<WireAnswer[]> {
  const closes = sent.lines.some(([name, value]) => /^connection$/i.test(name) && value === 'close')
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0)
    const socket = connect(port, '127.0.0.1', () => socket.write(bytesOf(sent)))
    const timer = setTimeout(() => socket.destroy(), sent.unfinished ? 300 : PATIENCE_MS)
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      if (!closes && answersIn(received, sent.method).length) setTimeout(() => socket.destroy(), LINGER_MS)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      try {
        resolve(answersIn(received, sent.method))
      } catch (error) {
        reject(error)
      }
    })
  })
}

/** The whole answers in a stream of bytes. */
export function answersIn(bytes: Buffer, method: string): WireAnswer[] {
  const answers: WireAnswer[] = []
  for (let rest = bytes; rest.length; ) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) return answers
    const [line = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1] ?? Number.NaN)
    if (!status) throw new Error(`no status line: ${JSON.stringify(line.slice(0, 80))}`)
    const headers: Record<string, string> = {}
    for (const text of lines) {
      const name = text.slice(0, text.indexOf(':')).toLowerCase()
      headers[name] = [headers[name], text.slice(text.indexOf(':') + 1).trim()].filter((value) => value !== undefined).join('\n')
    }
    const after = rest.subarray(end + 4)
    const part = bodyIn(after, headers, method === 'HEAD' || status < 200 || status === 204 || status === 304)
    if (!part) return answers
    if (status >= 200) answers.push({ status, headers, body: part.body.toString() })
    rest = after.subarray(part.length)
  }
  return answers
}

function bodyIn(bytes: Buffer, headers: Record<string, string>, none: boolean): { body: Buffer; length: number } | undefined {
  if (none) return { body: Buffer.alloc(0), length: 0 }
  if (headers['transfer-encoding'] !== 'chunked') {
    const length = Number(headers['content-length'] ?? 0)
    return bytes.length < length ? undefined : { body: bytes.subarray(0, length), length }
  }
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at)
    if (end < 0) return undefined
    const size = Number.parseInt(bytes.subarray(at, end).toString(), 16)
    if (bytes.length < end + 4 + size) return undefined
    chunks.push(bytes.subarray(end + 2, end + 2 + size))
    at = end + 4 + size
    if (size === 0) return { body: Buffer.concat(chunks), length: at }
  }
}
