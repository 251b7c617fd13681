// A client that keeps back the end of its body:
// who calls is known to the service, what is asked for comes when the test says so.
import { type IncomingMessage, request } from 'node:http'

export type Framing = 'length' | 'chunked'

export interface HeldRequest {
  /** Takes the place of `fetch` for one request. */
  readonly fetch: typeof fetch
  /** The headers and the first half of the body have left. */
  readonly sent: Promise<void>
  release(): void
}

/** `change` sees the address and the headers before they leave, and may replace both. */
export function holdBody(
  framing: Framing,
  change: (url: string, headers: Record<string, string>) => { url: string; headers: Record<string, string> },
): HeldRequest {
  const sent = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const held: typeof fetch = async (input, init = {}) => {
    const { url, headers } = change(String(input), { 'content-type': 'application/json', ...(init.headers as Record<string, string>) })
    const body = Buffer.from((init.body as string | undefined) ?? '{}')
    const half = Math.floor(body.length / 2)
    const outgoing = request(url, {
      method: init.method,
      headers: { ...headers, ...(framing === 'length' ? { 'content-length': String(body.length) } : { 'transfer-encoding': 'chunked' }) },
    })
    const answered = new Promise<IncomingMessage>((resolve, reject) => outgoing.once('response', resolve).once('error', reject))
    outgoing.write(body.subarray(0, half), () => sent.resolve())
    // A service that answers without waiting for the body has decided already.
    await Promise.race([released.promise, answered])
    outgoing.end(body.subarray(half))
    return asResponse(await answered)
  }
  return { fetch: held, sent: sent.promise, release: () => released.resolve() }
}

async function asResponse(answer: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  const status = answer.statusCode!
  return new Response(status === 204 ? null : Buffer.concat(chunks), { status, headers: answer.headers as Record<string, string> })
}
