// A request whose head and half a body are there before the power
// is taken away, and whose end comes after that was answered.
import { setTimeout as sleep } from 'node:timers/promises'
import { answerOn, open, type ShotAnswer } from '../volley.ts'
import type { Request } from './changes.ts'

export const bodyStyles = ['held', 'chunked', 'slow'] as const
export type BodyStyle = (typeof bodyStyles)[number]

/**
 * Long enough for a service to have read who calls.
 * If it was not, the try was weak, but what it shows is still true.
 */
const READ_MS = 80
const DRIP_MS = 12

export interface Held {
  /** Sends the rest, and gives the answer. */
  finish(): Promise<ShotAnswer>
}

export async function hold(url: string, { method, path, headers, body }: Request, style: BodyStyle): Promise<Held> {
  const socket = await open(url)
  const answer = answerOn(socket)
  answer.catch(() => {}) // whoever finishes hears of it
  const bytes = Buffer.from(body)
  const half = Math.ceil(bytes.length / 2)
  const write = style === 'chunked' ? (part: Buffer) => socket.write(chunk(part)) : (part: Buffer) => socket.write(part)
  const length = style === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${bytes.length}`
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.write(
    [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1', 'connection: close', 'content-type: application/json', length, ...lines, '\r\n'].join(
      '\r\n',
    ),
  )
  const pass = async (part: Buffer) => {
    if (style !== 'slow') return void write(part)
    for (const byte of part) {
      write(Buffer.of(byte))
      await sleep(DRIP_MS)
    }
  }
  const begun = pass(bytes.subarray(0, half))
  await sleep(READ_MS)
  return {
    async finish() {
      await begun
      await pass(bytes.subarray(half))
      if (style === 'chunked') socket.write('0\r\n\r\n')
      try {
        return await answer
      } finally {
        socket.destroy()
      }
    },
  }
}

const chunk = (part: Buffer) => Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')])
