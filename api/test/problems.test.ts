import { readFileSync } from 'node:fs'
import { type OperationId, operationIds, problem, problems, statusOf } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectProblem } from './raw-socket.ts'
import { sampleRequest } from './samples.ts'
import { createWorld, newAddress, request, sql, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.stop())

const TITLES: Record<number, string> = {
  400: 'Validation Failed',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
}

describe('the table of refusals', () => {
  it.each(Object.entries(problems))('%s has a title of its status and a sentence that says what to do', (code, [status, sentence]) => {
    const document = problem(code as keyof typeof problems, '/v1/me')
    expect(document).toMatchObject({ type: 'about:blank', status, code, instance: '/v1/me' })
    if (TITLES[status]) expect(document.title).toBe(TITLES[status])
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
    if (status === 500) expect(sentence).toBeUndefined()
    else expect(sentence).toMatch(/^[A-Z].{10,}\.$/)
  })
})

describe('every operation', () => {
  const guarded = operationIds.filter((id) => sampleRequest(id).guarded)

  it.each(guarded)('%s without a credential is 401, as a problem that names itself and its request', async (id) => {
    const { method, path, body } = sampleRequest(id)
    const answer = await request(`${world.url}${path}`, { method, ...(body && { body, headers: { 'content-type': 'application/json' } }) })
    const document = expectProblem({ ...answer, headers: Object.fromEntries(answer.headers), body: answer.text }, 401, path)
    expect(document.requestId).toBe(answer.headers.get('x-request-id'))
    expect(answer.headers.get('www-authenticate')).toBeTruthy()
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('that refuses a link, a code or an origin with 401 names a way in, too', async () => {
    const json = { 'content-type': 'application/json' }
    const post = (path: string, body: object, headers = {}) =>
      request(`${world.url}${path}`, { method: 'POST', body: JSON.stringify(body), headers: { ...json, ...headers } })
    const wrong = { email: 'nobody@a.example', code: '000000' }
    for (const answer of [
      await post('/v1/auth/magic-link/verify', wrong),
      await post('/v1/auth/magic-link/verify', wrong, { origin: 'https://elsewhere.example' }),
    ]) {
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="adjoin"')
    }
  })

  it.each(operationIds.filter((id) => sampleRequest(id).path.includes('/organizations/')))(
    '%s in an organization that is not there, or not the caller’s, is the same 404',
    async (id: OperationId) => {
      const [mine, theirs] = [await world.organization(), await world.organization()]
      const admin = await world.key(mine, { level: 'organization', role: 'admin' })
      const ask = async (orgSlug: string, headers: Record<string, string>) => {
        const { method, path, body } = sampleRequest(id, { orgSlug })
        const answer = await request(`${world.url}${path}`, {
          method,
          address: newAddress(),
          ...(body && { body }),
          headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        })
        const { instance, requestId, ...rest } = answer.json()
        return { status: answer.status, rest }
      }
      for (const headers of [mine.admin.headers, admin.headers]) {
        const [hidden, missing] = [await ask(theirs.slug, headers), await ask('nobody-has-this', headers)]
        expect(hidden).toEqual(missing)
        expect([401, 404]).toContain(hidden.status)
      }
    },
  )
})

describe('a defect of ours', () => {
  it('says nothing but its request id, and the log says the rest', async () => {
    const { admin } = await world.organization()
    await world.query(sql`alter table users rename column image to picture`)
    const answer = await request(`${world.url}/v1/me`, { headers: admin.headers })
    await world.query(sql`alter table users rename column picture to image`)
    const document = expectProblem({ ...answer, headers: Object.fromEntries(answer.headers), body: answer.text }, 500, '/v1/me')
    expect(document).toEqual({
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      code: 'internal_error',
      instance: '/v1/me',
      requestId: document.requestId,
    })
    const line = world.log.lines.find((text) => text.includes(document.requestId!) && text.includes('unexpected error'))
    expect(line).toContain('image')
  })
})

describe('the document', () => {
  it('names every status that the service answers with', () => {
    const openapi = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')
    for (const code of [
      'validation_failed',
      'credential_missing',
      'role_too_low',
      'not_found',
      'limit_exceeded',
      'internal_error',
      'unavailable',
    ] as const)
      expect(openapi).toContain(`Refused${statusOf(code)}`)
  })
})
