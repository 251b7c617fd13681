// Whoever sends requests to the service and answers what it asks, from a thread of their own.
import { Worker } from 'node:worker_threads'

export interface HostileAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}
export type Asked = { readonly id: number } & ({ readonly answer: HostileAnswer } | { readonly to: number; readonly bytes: Uint8Array })
interface Said {
  readonly id: number
  readonly answer?: string
  readonly asked?: number
}

export interface Request {
  readonly method: string
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

/** What came back, and how often the outsider was called meanwhile. */
export interface Outcome {
  readonly status: number
  readonly text: string
  readonly asked: number
}

export async function startOutsider() {
  const worker = new Worker(new URL('./outsider-thread.ts', import.meta.url))
  const waiting = new Map<number, (said: Said) => void>()
  let ids = 0
  const started = new Promise<Said>((resolve) => waiting.set(0, resolve))
  worker.on('message', (said: Said) => {
    waiting.get(said.id)?.(said)
    waiting.delete(said.id)
  })
  const ask = (message: { answer: HostileAnswer } | { to: number; bytes: Uint8Array }) =>
    new Promise<Said>((resolve) => {
      waiting.set(++ids, resolve)
      worker.postMessage({ id: ids, ...message })
    })
  return {
    /** Where it answers. */
    url: (await started).answer!,
    answer: (answer: HostileAnswer) => ask({ answer: { ...answer, body: shared(answer.body) } }),
    /** Ready to be sent any number of times: copying it is none of the service's work. */
    request(url: string, { method, target, headers = {}, body = '' }: Request): () => Promise<Outcome> {
      const bytes = typeof body === 'string' ? Buffer.from(body) : body
      const to = Number(new URL(url).port)
      const lines = Object.entries({
        host: `127.0.0.1:${to}`,
        connection: 'close',
        ...(bytes.length && { 'content-length': bytes.length }),
        ...headers,
      })
      const head = `${method} ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
      const whole = shared(Buffer.concat([Buffer.from(head, 'latin1'), bytes]))
      return async () => {
        const { answer = '', asked = 0 } = await ask({ to, bytes: whole })
        return { status: Number(answer.slice(9, 12)), text: answer.slice(answer.indexOf('\r\n\r\n') + 4), asked }
      }
    },
    close: () => worker.terminate(),
  }
}
export type Outsider = Awaited<ReturnType<typeof startOutsider>>

function shared(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length))
  copy.set(bytes)
  return copy
}
