// A server may answer anything. Nothing of it may reach the terminal
// as a command to the terminal, or the system's opener as one.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { declaration, type OperationId, operationIds, route } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { webAddress } from '../../src/browser.ts'
import { example } from '../../src/examples.ts'
import { createProgram } from '../../src/program.ts'
import { paint } from '../../src/terminal.ts'
import { words } from '../../src/words.ts'

const EVIL = 'a\u001b]0;owned\u0007\u001b[2J\u009b31m\u202eb\u2028\r\n\u0085\u200f\u{e0041}\u007fc'
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\u{e0000}-\u{e007f}]/u

interface ResponseSchema {
  type?: string
  properties?: Record<string, ResponseSchema>
  items?: ResponseSchema
  anyOf?: ResponseSchema[]
  $ref?: string
  additionalProperties?: unknown
}

/** What the operation's schema promises, with every text an evil one. */
function evilAnswer(id: OperationId): unknown {
  const { ok, created } = declaration(id) as { ok?: z.ZodType; created?: z.ZodType }
  const schema = ok ?? created
  if (!schema) return { name: EVIL }
  const root = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as ResponseSchema & {
    $defs?: Record<string, ResponseSchema>
  }
  const fill = (at: ResponseSchema): unknown => {
    if (at.$ref) return fill(root.$defs![at.$ref.split('/').at(-1)!]!)
    if (at.anyOf) return fill(at.anyOf[0]!)
    if (at.type === 'array') return [fill(at.items ?? {}), fill(at.items ?? {})]
    if (at.type === 'object')
      return { ...Object.fromEntries(Object.entries(at.properties ?? {}).map(([name, one]) => [name, fill(one)])), [EVIL]: EVIL }
    if (at.type === 'integer' || at.type === 'number') return 1
    return at.type === 'boolean' ? true : EVIL
  }
  return fill(root)
}

const problem = (status: number) => ({
  type: 'about:blank',
  title: EVIL,
  status,
  detail: EVIL,
  code: EVIL,
  requestId: EVIL,
  errors: [{ path: EVIL, message: EVIL }],
})

type StubAnswer = { status?: number; reason?: string; type?: string; text: string }
let answer: (method: string, path: string) => StubAnswer
let server: Server
let url: string
const home = mkdtempSync(join(tmpdir(), 'adjoin-cli-'))
beforeAll(async () => {
  server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const { status = 200, reason, type = 'application/json', text } = answer(request.method!, request.url!)
    response.statusMessage = reason ?? ''
    response.writeHead(status, { 'content-type': type }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

/** The program as if on a terminal: everything that it writes to it. */
async function onTerminal(args: string[], env: Record<string, string> = {}): Promise<string> {
  let written = ''
  const spies = [process.stdout, process.stderr].map((stream) => {
    Object.defineProperty(stream, 'isTTY', { value: true, configurable: true })
    return vi.spyOn(stream, 'write').mockImplementation((chunk: unknown) => {
      written += typeof chunk === 'string' ? chunk : Buffer.from(chunk as Uint8Array).toString()
      return true
    })
  })
  vi.stubEnv('NO_COLOR', '1')
  try {
    await createProgram({ HOME: home, ADJOIN_URL: url, ADJOIN_ORG: 'o', ADJOIN_WORKSPACE: 'w', ADJOIN_TOKEN: 't', ...env }).run(args)
  } finally {
    for (const spy of spies) spy.mockRestore()
    for (const stream of [process.stdout, process.stderr]) Reflect.deleteProperty(stream, 'isTTY')
    vi.unstubAllEnvs()
    process.exitCode = undefined
  }
  return written
}

const controls = (text: string) => text.replaceAll('\n', '').match(new RegExp(CONTROLS, 'gu')) ?? []

/** The operation's command, as its own help gives it as an example. */
function argumentsFor(id: OperationId): string[] {
  const wanted = [...route(id)[1].matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).filter((name) => !name.endsWith('Slug'))
  const line = example(id, wanted)
    .replace(/^adjoin /, '')
    .replace(/ [<>] \S+$/, '')
  const parts = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!)
  const given = parts.map((part) => (part === '-' ? 'x' : part.replace(/=-$/, '=x')))
  return id === 'deleteWorkspace' ? [...given, '--yes'] : id === 'exportAuditLogs' ? words[id]!.split(' ') : given
}

describe.each(operationIds)('%s', (id) => {
  it('is shown without the control characters that a server put into its answer, its refusal or its page', async () => {
    const answers: StubAnswer[] = [
      { text: JSON.stringify(evilAnswer(id)) },
      ...[400, 401, 404, 409, 500].map((status) => ({ status, type: 'application/problem+json', text: JSON.stringify(problem(status)) })),
      { status: 404, reason: '\u009b31m', type: 'text/html', text: EVIL },
      { text: `{"a": ${EVIL}` },
      ...(id === 'exportAuditLogs' ? [{ type: 'text/csv', text: `${EVIL}\n`.repeat(3) }] : []),
    ]
    for (const one of answers) {
      answer = () => one
      const written = await onTerminal(argumentsFor(id))
      expect(controls(written), `${JSON.stringify(one)} → ${JSON.stringify(written)}`).toEqual([])
    }
  })
})

describe('as JSON', () => {
  it('is the very document, and harmless on a terminal', async () => {
    const whole = evilAnswer('listIntegrations')
    answer = () => ({ text: JSON.stringify(whole) })
    const written = await onTerminal(['integrations', 'list', '--json'])
    expect(JSON.parse(written)).toEqual(whole)
    expect(controls(written)).toEqual([])
  })
})

describe('the commands made for people', () => {
  const start = { deviceCode: 'd', userCode: EVIL, verificationUri: EVIL, verificationUriComplete: EVIL, expiresIn: 900, interval: 0 }
  const evil = (method: string, path: string): StubAnswer => {
    if (path.endsWith('/auth/device')) return { text: JSON.stringify({ ...start, verificationUri: `file:///${EVIL}` }) }
    const id = operationIds.find((one) => {
      const [verb, template] = route(one)
      return verb === method && new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path.split('?')[0]!)
    })!
    return { text: JSON.stringify({ ...(evilAnswer(id) as object), ...(id === 'getIntegration' && { connectLink: null }) }) }
  }

  it.each([
    ['whoami'],
    ['login'],
    ['status'],
    ['status', '--workspace', 'w'],
    ['use', 'o/w'],
    ['connect', 'xandr', '--name', 'x'],
    ['connect', 'xandr', '--name', 'x', '--no-wait'],
    ['logout'],
  ])('%s %s', async (...args) => {
    answer = evil
    const written = await onTerminal(args)
    expect(controls(written), JSON.stringify(written)).toEqual([])
    expect(written).not.toBe('')
  })

  it('hand an address to the system’s opener only if it is a web address', async () => {
    const bin = mkdtempSync(join(tmpdir(), 'adjoin-opener-'))
    const opened = join(bin, 'opened')
    for (const name of ['xdg-open', 'open', 'explorer']) {
      writeFileSync(join(bin, name), `#!/bin/sh\necho "$@" > ${opened}.part && mv ${opened}.part ${opened}\n`)
      chmodSync(join(bin, name), 0o755)
    }
    const path = process.env.PATH
    process.env.PATH = `${bin}${delimiter}${path}`
    const login = (address: string) => {
      answer = (_, path) =>
        path.endsWith('/auth/device')
          ? { text: JSON.stringify({ ...start, userCode: 'AAAA-AAAA', verificationUri: address, verificationUriComplete: address }) }
          : path.endsWith('/device/token')
            ? { text: JSON.stringify({ token: 't', user: { email: 'ada@agency.example' } }) }
            : { text: JSON.stringify({ organizations: [] }) }
      return onTerminal(['login'])
    }
    try {
      for (const address of ['file:///etc/passwd', 'vscode://x/run', 'http://evil.example/x', '-a Calculator', '\\\\host\\share'])
        expect(await login(address)).toContain(`Not opened, because it is neither https nor on this machine: ${address}\n`)
      const event = new Promise((resolve) => watch(bin, (_, name) => name === 'opened' && resolve(name)))
      await login('https://adjoin.example/device?code=AAAA-AAAA')
      await event
      expect(readFileSync(opened, 'utf8')).toBe('https://adjoin.example/device?code=AAAA-AAAA\n')
    } finally {
      process.env.PATH = path
    }
  })
})

describe('an address', () => {
  it.each([
    'https://adjoin.example/device',
    'http://localhost:3000/device',
    'http://127.0.0.1:3000/',
    'http://127.8.9.1/',
    'http://[::1]:3000/x',
  ])('%s is handed on', (text) => expect(webAddress(text)).toBe(text))

  it.each([
    'http://adjoin.example/',
    'http://localhost.evil.example/',
    'http://127.0.0.1.evil.example/',
    'https://ada@adjoin.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    'ms-settings:x',
    'smb://host/share',
    'mailto:a@b.example',
    '/device',
    '',
    EVIL,
  ])('%j is not', (text) => expect(webAddress(text)).toBeNull())
})

describe('the way to the terminal', () => {
  it('is one: nothing else writes to it', () => {
    const source = fileURLToPath(new URL('../../src', import.meta.url))
    const writers = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && /\.(stdout|stderr)\.write|console\./.test(readFileSync(join(source, file), 'utf8')),
    )
    expect(writers).toEqual(['terminal.ts'])
  })

  it('colors what others wrote, and lets none of its colors through', () => {
    const terminal = { isTTY: true } as NodeJS.WriteStream
    expect(paint('red', 'a\u001b[32mb', terminal).safe).toBe('\u001b[31ma\ufffd[32mb\u001b[39m')
  })
})
