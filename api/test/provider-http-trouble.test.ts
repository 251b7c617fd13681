import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { retryAfter } from '../src/providers/answer.ts'
import { createHttp, type HttpOptions, type Observation, type Outgoing } from '../src/providers/http.ts'
import { type Handle, json } from './loopback.ts'
import { failureOf, outgoing, quick, serve } from './outgoing.ts'

describe('how often it is tried (K5)', () => {
  const attempts = async (handle: Handle, more: Partial<Outgoing> & { withinMs?: number } = { repeatable: true }) => {
    const server = await serve(handle)
    const answer = await createHttp(quick)(outgoing({ twin: server.url, ...more }))
    return { calls: server.received.length, answer }
  }

  it('tries a read three times and then hands the failure back', async () => {
    expect(await attempts(json(503, {}))).toMatchObject({ calls: 3, answer: { status: 503 } })
    expect((await attempts((_received, _response, request) => request.socket.destroy())).calls).toBe(3)
  })

  it('never repeats a login', async () => {
    expect((await attempts(json(503, {}), { repeatable: false, method: 'POST', body: '{}' })).calls).toBe(1)
  })

  it('does not repeat what was understood and refused', async () => {
    for (const status of [400, 401, 403, 404, 302]) expect((await attempts(json(status, {}))).calls, String(status)).toBe(1)
  })

  it('stops at the first success', async () => {
    let calls = 0
    expect(await attempts((received, response, request) => json(++calls < 2 ? 502 : 200, {})(received, response, request))).toMatchObject({
      calls: 2,
      answer: { status: 200 },
    })
  })

  it('waits as long as the system asks when that is short, and hands back what is longer or unstated', async () => {
    const started = performance.now()
    let calls = 0
    const brief: Handle = (...call) => json(++calls < 2 ? 429 : 200, {}, { 'retry-after': '1' })(...call)
    expect((await attempts(brief)).calls).toBe(2)
    expect(performance.now() - started).toBeGreaterThan(950)
    expect((await attempts(json(429, {}, { 'retry-after': '60' }))).calls).toBe(1)
    expect((await attempts(json(429, {}))).calls).toBe(1)
  })

  it('stays within the deadline whatever is left to try', async () => {
    expect((await attempts(json(503, {}, { 'retry-after': '1' }), { repeatable: true, withinMs: 500 })).calls).toBe(1)
  })

  it('reads Retry-After as seconds or as a date, and never below zero', () => {
    const now = new Date('2026-01-05T12:00:00Z')
    expect(retryAfter({ 'retry-after': '9' }, now)).toBe(9)
    expect(retryAfter({ 'retry-after': 'Mon, 05 Jan 2026 12:00:30 GMT' }, now)).toBe(30)
    expect(retryAfter({ 'retry-after': 'Mon, 05 Jan 2026 11:00:00 GMT' }, now)).toBe(0)
    for (const value of ['', 'soon', '-5', '1e9', '99999999999999'])
      expect(retryAfter({ 'retry-after': value }, now), value).toBeUndefined()
  })
})

describe('one ailing system among healthy ones (K6)', () => {
  const rests: HttpOptions = { ...quick, breaker: { failures: 5, restMs: 200 } }

  it('answers for a failing system at once after repeated failures, probes it after a rest, and trusts it again when it is well', async () => {
    let status = 500
    const server = await serve((...call) => json(status, {})(...call))
    const http = createHttp(rests)
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    for (let call = 0; call < 5; call += 1) await http(outgoing({ twin: server.url }))
    expect(await failureOf(http(outgoing({ twin: server.url })))).toBe('outage')
    expect(server.received).toHaveLength(5)

    vi.advanceTimersByTime(220)
    const probes = await Promise.all(Array.from({ length: 8 }, () => http(outgoing({ twin: server.url }))))
    expect(probes.filter((probe) => 'status' in probe)).toHaveLength(1)
    expect(server.received).toHaveLength(6)

    status = 200
    vi.advanceTimersByTime(220)
    expect(await http(outgoing({ twin: server.url }))).toMatchObject({ status: 200 })
    const after = await Promise.all(Array.from({ length: 8 }, () => http(outgoing({ twin: server.url }))))
    expect(after.every((answer) => 'status' in answer && answer.status === 200)).toBe(true)
  })

  it('leaves other systems, and other hosts of the same one, untouched', async () => {
    const sick = await serve(json(500, {}))
    const well = await serve(json(200, {}))
    const http = createHttp(rests)
    for (let call = 0; call < 6; call += 1) await http(outgoing({ twin: sick.url }))
    expect(await failureOf(http(outgoing({ twin: sick.url })))).toBe('outage')
    const other = { provider: 'criteo', allowed: ['https://api.criteo.com'], url: 'https://api.criteo.com/me' }
    expect(await http(outgoing({ ...other, twin: well.url }))).toMatchObject({ status: 200 })
    const second = { allowed: ['https://api.appnexus.com', 'https://api.adnxs.com'], url: 'https://api.adnxs.com/me' }
    expect(await http(outgoing({ ...second, twin: well.url }))).toMatchObject({ status: 200 })
  })

  it('does not count refusals and throttling as failures', async () => {
    const server = await serve(json(429, {}))
    const http = createHttp(rests)
    for (let call = 0; call < 12; call += 1) await http(outgoing({ twin: server.url }))
    expect(server.received).toHaveLength(12)
  })

  it('sends no more than so many calls at once, lets others wait, and turns the rest away', async () => {
    let now = 0
    let most = 0
    const server = await serve((received, response, request) => {
      most = Math.max(most, ++now)
      setTimeout(() => {
        now -= 1
        json(200, {})(received, response, request)
      }, 40)
    })
    const http = createHttp({ atOnce: 4, waiting: 6 })
    const answers = await Promise.all(Array.from({ length: 20 }, () => http(outgoing({ twin: server.url }))))
    expect(most).toBe(4)
    expect(answers.filter((answer) => 'status' in answer)).toHaveLength(10)
    expect(answers.filter((answer) => 'failure' in answer && answer.failure === 'busy')).toHaveLength(10)
    expect(await http(outgoing({ twin: server.url }))).toMatchObject({ status: 200 })
  })

  it('turns a waiting call away when its time is up', async () => {
    const held = Promise.withResolvers<void>()
    const server = await serve((...call) => void held.promise.then(() => json(200, {})(...call)))
    const http = createHttp({ atOnce: 1 })
    const first = http(outgoing({ twin: server.url }))
    expect(await failureOf(http(outgoing({ twin: server.url, withinMs: 50 })))).toBe('busy')
    held.resolve()
    expect(await first).toMatchObject({ status: 200 })
  })

  it('reports every attempt without paths, queries or secrets', async () => {
    const server = await serve(json(503, {}))
    const seen: Observation[] = []
    await createHttp({ ...quick, observe: (observation) => seen.push(observation) })(outgoing({ twin: server.url, repeatable: true }))
    expect(seen.map(({ attempt, status, host, provider, method }) => ({ attempt, status, host, provider, method }))).toEqual(
      [0, 1, 2].map((attempt) => ({ attempt, status: 503, host: 'api.appnexus.com', provider: 'xandr', method: 'GET' })),
    )
    expect(JSON.stringify(seen)).not.toContain('current')
  })
})
