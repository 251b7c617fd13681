// What nobody can talk the service into: a field that is not theirs to set, an organization without an admin.
import { type OperationId, operationIds, operations, route } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createWorld, request, sql, type World } from './world.ts'

let world: World
let urls: string[]
beforeAll(async () => {
  world = await createWorld()
  urls = [world.url, (await world.replica()).url, (await world.replica()).url]
})
afterAll(() => world.stop())

const privileged = {
  id: crypto.randomUUID(),
  userId: crypto.randomUUID(),
  organizationId: crypto.randomUUID(),
  workspaceId: crypto.randomUUID(),
  creatorId: crypto.randomUUID(),
  createdByEmail: 'eve@elsewhere.example',
  creatorEmail: 'eve@elsewhere.example',
  emailVerified: true,
  role: 'admin',
  level: 'organization',
  status: 'active',
  key: 'adj_',
  domain: 'elsewhere.example',
  constructor: { prototype: { role: 'admin' } },
}

const bodyOf = (id: OperationId) => (operations[id] as { body?: z.ZodType }).body
/**
 * What an ad system asks for is checked against its own fields,
 * by the suites of integrations, of the connect flow and of unfinished items.
 */
const isForm = (id: OperationId) =>
  id === 'submitIntegrationCredentials' || id.startsWith('startConnect') || /^submitConnect((Item)?Credentials|Settings)$/.test(id)

it.each(operationIds.filter((id) => bodyOf(id) && !isForm(id)))('%s takes no field that is not its own', async (id) => {
  const [method, path] = route(id)
  const own = z.toJSONSchema(bodyOf(id)!, { io: 'input', unrepresentable: 'any' }) as {
    properties?: object
    anyOf?: { properties: object }[]
    oneOf?: { properties: Record<string, { const?: unknown }> }[]
  }
  const shapes = own.oneOf ?? own.anyOf ?? []
  const fields = new Set([own, ...shapes].flatMap(({ properties }) => Object.keys(properties ?? {})))
  // What chooses one shape of several must be there, or the fields of none can be judged.
  const chosen = Object.entries(own.oneOf?.[0]?.properties ?? {}).flatMap(([name, field]) => (field.const ? [[name, field.const]] : []))
  const strange = Object.entries(privileged).filter(([name]) => !fields.has(name))
  const { headers } = await world.person()
  for (const [name, value] of strange) {
    const answer = await request(`${world.url}${path.replace(/\{(\w*)Slug\}/g, 'sample').replace(/\{\w+\}/g, crypto.randomUUID())}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ ...Object.fromEntries(chosen), [name]: value }),
    })
    expect(answer.status).toBe(400)
    const { errors } = answer.json<{ errors: { path: string; message: string }[] }>()
    expect(errors).toContainEqual({ path: name, message: 'is not a field of this request' })
  }
})

describe('two admins at once', () => {
  it('who remove or demote each other, a hundred times over three replicas, always leave one', async () => {
    for (let round = 0; round < 100; round++) {
      const { id, slug: orgSlug, admin } = await world.organization()
      const second = await world.join({ id }, 'admin')
      const [one, other] = [admin, second].map(({ headers }, i) => world.client(headers, urls[(round + i) % 3]!))
      await Promise.allSettled([
        one!.removeOrganizationMember({ orgSlug, userId: second.id }),
        round % 2
          ? other!.updateOrganizationMember({ orgSlug, userId: admin.id }, { role: 'viewer' })
          : other!.removeOrganizationMember({ orgSlug, userId: admin.id }),
      ])
      const admins = await world.query(sql`select from members where organization_id = ${id} and role = 'admin'`)
      expect(admins).toHaveLength(1)
    }
  })
})
