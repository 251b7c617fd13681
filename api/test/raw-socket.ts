// Requests byte by byte, for what no well-behaved client would send.
import { connect, type Socket } from 'node:net'
import { Problem } from '@adjoin/contract'
import { expect } from 'vitest'

export interface RawAnswer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

export const portOf = (url: string): number => Number(new URL(url).port)

/** On a busy machine the first byte may take its time. */
const BEGINS_WITHIN_MS = 60_000

/** Writes `bytes` and collects whatever comes back until the server closes, or has been silent for `patience`. */
export function exchange(url: string, bytes: string | Buffer, patience = 30_000): Promise<RawAnswer[]> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect(portOf(url), '127.0.0.1', () => socket.write(bytes))
    let timer = setTimeout(() => socket.destroy(), BEGINS_WITHIN_MS)
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      clearTimeout(timer)
      timer = setTimeout(() => socket.destroy(), patience)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(answersIn(Buffer.concat(chunks)))
    })
  })
}

/** The only answer to `bytes`. */
export async function rawAnswer(url: string, bytes: string | Buffer, patience?: number): Promise<RawAnswer> {
  const answers = await exchange(url, bytes, patience)
  expect(answers, `one answer to ${JSON.stringify(String(bytes).slice(0, 200))}`).toHaveLength(1)
  return answers[0]!
}

export const head = (method: string, target: string, lines: string[] = [], body = ''): string =>
  `${[`${method} ${target} HTTP/1.1`, 'Host: adjoin.example', 'Connection: close', ...lines].join('\r\n')}\r\n\r\n${body}`

export const post = (target: string, body: string, lines: string[] = []): string =>
  head('POST', target, ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`, ...lines], body)

export const open = (url: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(portOf(url), '127.0.0.1', () => resolve(socket)).once('error', reject)
  })

/** A problem document as RFC 9457 and our contract have it, and nothing that tells of our inside. */
export function expectProblem(
  answer: { status: number; headers: Record<string, string>; body: string },
  status: number,
  instance?: string,
) {
  expect(answer.status, answer.body).toBe(status)
  expect(answer.headers['content-type']).toBe('application/problem+json')
  const problem = Problem.parse(JSON.parse(answer.body))
  expect(problem.status).toBe(status)
  if (instance !== undefined) expect(problem.instance).toBe(instance)
  expect(answer.body).not.toMatch(/node_modules|\.ts:\d|at \w+ \(|FST_|HPE_|select |insert |SQLSTATE|fastify|postgres/i)
  return problem
}

/** The answers in a stream of bytes, by their Content-Length. */
function answersIn(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = []
  let rest = bytes
  while (rest.length) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) throw new Error(`no end of headers in ${JSON.stringify(rest.toString().slice(0, 200))}`)
    const [line = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n')
    const headers = Object.fromEntries(
      lines.map((text) => [text.slice(0, text.indexOf(':')).toLowerCase(), text.slice(text.indexOf(':') + 1).trim()]),
    )
    const from = end + 4
    const to = headers['content-length'] === undefined ? rest.length : from + Number(headers['content-length'])
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
    if (status !== 100) answers.push({ status, headers, body: rest.subarray(from, to).toString('utf8') })
    rest = rest.subarray(status === 100 ? from : to)
  }
  return answers
}
