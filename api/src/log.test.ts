import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { withinContext } from './context.ts'
import { createLog, logRequest, readable } from './log.ts'
import { newToken } from './vault/tokens.ts'

/** What a log line holds, as it would be written. */
function written(write: (log: ReturnType<typeof createLog>) => void): string {
  let text = ''
  const sink = new Writable({
    write(chunk, _, done) {
      text += chunk
      done()
    },
  })
  write(createLog('info', 'production', sink))
  return text
}

describe('a log line', () => {
  it('is one line of JSON with a level and a time, whatever it holds', () => {
    const text = written((log) => log.info({ name: 'a\r\n{"level":"fatal"}\u001b[2J\u0000' }, 'said\nso'))
    expect(text.trimEnd().split('\n')).toHaveLength(1)
    expect(text.trimEnd()).not.toMatch(/\p{Cc}/u)
    expect(JSON.parse(text)).toMatchObject({ level: 'info', time: expect.stringMatching(/^\d{4}-.*Z$/), msg: 'said\nso' })
  })

  it('holds no secret by name, wherever it hides', () => {
    const secret = 'canary-secret'
    const names = [
      'token',
      'refreshToken',
      'access_token',
      'clientSecret',
      'client_secret',
      'password',
      'Authorization',
      'authorization',
      'cookie',
      'Set-Cookie',
      'x-api-key',
      'X-API-Key',
      'apiKey',
      'key',
      'code',
      'sealed',
      'credential',
      'credentials',
      'payload',
    ]
    for (const name of names)
      for (const line of [
        { [name]: secret },
        { headers: { [name]: secret } },
        { a: { b: { c: [{ [name]: secret }] } } },
        { [name]: { inside: secret } },
      ])
        expect(
          written((log) => log.error(line, 'x')),
          name,
        ).not.toContain(secret)
  })

  it('holds no key, token or password by its looks, in texts and errors and what caused them', () => {
    const [key, token] = [`adj_${'k7Q'.repeat(16)}x`, newToken()]
    const address = 'postgres://adjoin:hunter2@db.internal/adjoin'
    const error = new Error(`no such key ${key}`, { cause: new Error(`GET /connect/${token} from ${address}`) })
    const text = written((log) =>
      log.error({ err: error, path: `/v1/connect/${token}`, seen: [address, '550 <grace@agency.example> unknown'] }, 'failed'),
    )
    for (const secret of [key, token, 'hunter2', 'grace@']) expect(text).not.toContain(secret)
    expect(JSON.parse(text).err.cause.message).toContain('db.internal')
  })

  it('keeps what helps to find a defect: the error’s code, constraint and stack, not the row a driver quotes', () => {
    const error = Object.assign(new Error('duplicate key value violates unique constraint "users_email"'), {
      code: '23505',
      constraint: 'users_email',
      detail: 'Key (email)=(ada@agency.example) already exists.',
    })
    const line = JSON.parse(written((log) => log.error({ err: error, requestId: 'r-1' }, 'defect')))
    expect(line).toMatchObject({
      requestId: 'r-1',
      err: { name: 'Error', code: '23505', constraint: 'users_email', message: error.message },
    })
    expect(line.err.stack).toContain('log.test.ts')
    expect(JSON.stringify(line)).not.toContain('ada@agency.example')
  })

  it('takes anything without throwing: circles, depth, binary, nothing', () => {
    const circle: Record<string, unknown> = { name: 'circle' }
    circle.self = circle
    for (const odd of [circle, { bytes: Buffer.from('secret') }, { nothing: null, undefined }, { err: 'a string' }, { err: null }])
      expect(() => JSON.parse(written((log) => log.info(odd, 'x')))).not.toThrow()
  })
})

describe('the line of a request', () => {
  const line = { method: 'GET', route: '/v1/invitations/:token', status: 200, ms: 1.2345, ip: '10.0.0.1' }

  it('says who asked for what, and nothing of the context twice', () => {
    const context = { requestId: 'r-1', operation: 'getMe' as const, caller: 'user:1', traceId: 'a'.repeat(32) }
    const before = Date.now()
    const text = written((log) => withinContext({ requestId: 'other', caller: 'other' }, () => logRequest(log, 'info', context, line)))
    const { time, ...rest } = JSON.parse(text)
    expect(rest).toEqual({ level: 'info', ...context, ...line, ms: 1.2, msg: 'request' })
    expect(text.match(/requestId/g)).toHaveLength(1)
    expect(Date.parse(time)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(time)).toBeLessThanOrEqual(Date.now())
    expect(new Date(time).toISOString()).toBe(time)
  })

  it('is not written below the level', () => {
    expect(written((log) => logRequest(log, 'debug', undefined, line))).toBe('')
  })

  it('holds no secret, whatever a proxy says', () => {
    const token = newToken()
    const text = written((log) => logRequest(log, 'info', { proxyRequestId: token }, { ...line, ip: `ada@agency.example ${token}\n` }))
    for (const secret of [token, 'ada@']) expect(text).not.toContain(secret)
    expect(text.trimEnd().split('\n')).toHaveLength(1)
  })
})

describe('a line for people', () => {
  it('cannot move the cursor of the terminal it is shown on', () => {
    let text = ''
    const screen = new Writable({
      write(chunk, _, done) {
        text += chunk
        done()
      },
    })
    const terminal = readable(screen)
    createLog('info', 'development', terminal).info({ name: '\u001b[2Jgone', err: new Error('\u001b[2Jbad\rway') }, 'hello')
    expect(text).not.toContain('\u001b[2J')
    expect(text).not.toContain('\r')
    expect(text).toContain('hello')
  })
})
