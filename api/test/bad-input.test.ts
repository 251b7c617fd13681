// Two thousand bad requests, made from the contract's own operations:
// every refusal a problem document, never a fault of ours.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectProblem } from './raw-socket.ts'
import { bad, type Trouble, trouble } from './trouble.ts'
import { createWorld, newAddress, request, type TestOrganization, type TestPerson, type TestWorkspace, type World } from './world.ts'

let world: World
let of: TestOrganization
let to: TestWorkspace
beforeAll(async () => {
  world = await createWorld({ limitsFactor: 1000 })
  of = await world.organization()
  to = await world.workspace(of)
})
afterAll(() => world.stop())

const ROUNDS = 500
const SEED = 20_261_115

async function send(one: Trouble, credential: Record<string, string>) {
  const { method, path, query, body, headers: lines } = bad(one, { orgSlug: of.slug, workspaceSlug: to.slug })
  const sent = body !== undefined && method !== 'GET'
  const init = {
    method,
    headers: { ...credential, 'x-forwarded-for': newAddress(), ...(sent && { 'content-type': 'application/json' }), ...lines },
    ...(sent && { body }),
  }
  const answer = await request(`${world.url}${path}${query}`, init)
  return { answer, instance: new URL(`${world.url}${path}`).pathname }
}

async function judge(one: Trouble, credential: Record<string, string>) {
  const { answer, instance } = await send(one, credential)
  const what = `${one.id} ${JSON.stringify(one.fault).slice(0, 300)} → ${answer.status} ${answer.text.slice(0, 300)}`
  expect(answer.status, what).toBeLessThan(500)
  if (answer.status >= 400)
    expectProblem({ status: answer.status, headers: Object.fromEntries(answer.headers), body: answer.text }, answer.status, instance)
  return answer.status
}

async function flood(credential: () => Promise<Record<string, string>>) {
  const troubles = fc.sample(trouble, { numRuns: ROUNDS, seed: SEED })
  const carried = await credential()
  const statuses: number[] = []
  for (let i = 0; i < troubles.length; i += 10)
    statuses.push(...(await Promise.all(troubles.slice(i, i + 10).map((one) => judge(one, carried)))))
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  expect((await request(`${world.url}/health`)).status).toBe(200)
  expect(world.log.lines.filter((line) => line.includes('"unexpected error"'))).toEqual([])
  return statuses
}

const bearer = (person: TestPerson) => ({ authorization: `Bearer ${person.token}` })

describe(`${ROUNDS * 4} bad requests are refused and nothing else happens`, () => {
  it('from nobody', async () => {
    expect(await flood(async () => ({}))).toContain(401)
  })

  it('from an admin', async () => {
    const statuses = await flood(async () => bearer(of.admin))
    expect(statuses.filter((status) => status === 400).length).toBeGreaterThan(ROUNDS / 5)
  })

  it('from an admin in a browser', async () => {
    await flood(async () => ({ cookie: `adjoin_session=${of.admin.token}`, origin: 'http://localhost:3000' }))
  })

  it('from a key', async () => {
    const { key } = await world.key(of, { level: 'organization', role: 'admin' })
    await flood(async () => ({ 'x-api-key': key }))
  })
})

describe('text at its exact limit', () => {
  it.each(['a', 'é', '😀', '𝕏'])('is counted in characters as people see them: 255 of %s fit, 256 do not', async (character) => {
    const rename = (length: number) =>
      request(`${world.url}/v1/me`, {
        method: 'PATCH',
        headers: { ...bearer(of.admin), 'content-type': 'application/json' },
        body: JSON.stringify({ name: character.repeat(length) }),
      })
    expect((await rename(255)).json().name).toBe(character.repeat(255))
    expect((await rename(256)).json().errors).toEqual([{ path: 'name', message: 'must have 1 to 255 characters' }])
  })

  it('is stored in one spelling', async () => {
    const answer = await request(`${world.url}/v1/me`, {
      method: 'PATCH',
      headers: { ...bearer(of.admin), 'content-type': 'application/json' },
      body: JSON.stringify({ name: '  Zoe\u0308 ' }),
    })
    expect(answer.json().name).toBe('Zo\u00eb')
  })
})
