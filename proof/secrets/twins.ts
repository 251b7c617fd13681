// A wire-tap in front of the twins: every token that passes is a secret from then on.
// Told to, it is a careless vendor that repeats what it was sent.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { createSandbox } from '../../api/src/sandbox/index.ts'
import type { CanaryLedger } from './canaries.ts'

const SECRET_NAMES = /token|verifier|^code$|auth_code|client_secret/i
const UNSAID = /^sandbox-|^(Bearer|bearer)$/

export async function tapTwins(ledger: CanaryLedger) {
  const sandbox = await createSandbox({ secret: 'proof', environment: 'test', slowMs: 3000 }).listen()
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy())
  })

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = await buffer(request)
    const provider = /^\/sandbox\/(\w+)/.exec(request.url!)?.[1] ?? 'a vendor'
    const said = `${sent} ${Buffer.from(request.headers.authorization?.split(' ')[1] ?? '', 'base64')} ${request.headers.authorization}`
    listen(provider, request.headers['content-type'], sent.toString())
    if (/Cnecho/.test(decodeURIComponent(said.replace(/%(?![0-9a-f]{2})/gi, '')))) {
      const repeated = `You said ${request.headers.authorization ?? ''} ${sent}`
      const body = JSON.stringify({
        ...careless(repeated),
        errors: [{ code: 'x', ...careless(repeated) }],
        response: { error_id: 'UNAUTH', error: repeated },
      })
      return void response.writeHead(401, { 'content-type': 'application/json' }).end(body)
    }
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => !/^(host|connection|content-length)$/.test(name)),
    ) as Record<string, string>
    const bodiless = request.method === 'GET' || request.method === 'HEAD'
    const answer = await fetch(`${sandbox.url}${request.url}`, {
      method: request.method!,
      headers,
      redirect: 'manual',
      ...(!bodiless && { body: sent }),
    })
    const text = await answer.text()
    listen(provider, answer.headers.get('content-type') ?? undefined, text)
    const back = Object.fromEntries(
      [...answer.headers].filter(([name]) => !/^(connection|content-length|transfer-encoding|content-encoding|keep-alive)$/.test(name)),
    )
    response.writeHead(answer.status, back).end(text)
  }

  function listen(provider: string, type: string | undefined, text: string): void {
    const heard = (name: string, value: unknown) => {
      if (typeof value === 'string' && value.length >= 12 && SECRET_NAMES.test(name) && !UNSAID.test(value))
        ledger.keep(`${name} of ${provider}`, value)
    }
    if (type?.startsWith('application/x-www-form-urlencoded')) for (const [name, value] of new URLSearchParams(text)) heard(name, value)
    if (!type?.startsWith('application/json')) return
    try {
      JSON.parse(text, (name, value) => {
        heard(name, value)
        return value
      })
    } catch {}
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await sandbox.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

const careless = (text: string) => ({
  error: 'invalid_client',
  error_description: text,
  message: text,
  Message: text,
  detail: text,
  title: text,
  description: text,
})
