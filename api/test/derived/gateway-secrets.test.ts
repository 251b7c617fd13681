// Every twin repeats the credentials that it was called with, in every usual spelling, cut at every byte: none leaves.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAccess } from '../../src/features/gateway/access.ts'
import { scrubOf } from '../../src/features/gateway/pass-on.ts'
import { findIntegration } from '../../src/features/integrations/integration-row.ts'
import { examples } from '../../src/gateway/examples.ts'
import { gatewayRules } from '../../src/gateway/rules/index.ts'
import { providers } from '../../src/providers/index.ts'
import { echo } from '../../src/sandbox/echo.ts'
import type { TwinRequest } from '../../src/sandbox/twin.ts'
import { connectIntegration } from '../connected-integration.ts'
import { QUICK } from '../sampled.ts'
import { createWorld, request, type TestOrganization, type TestWorkspace, type World } from '../world.ts'

let world: World
let organization: TestOrganization
let workspace: TestWorkspace
beforeAll(async () => {
  world = await createWorld()
  organization = await world.organization()
  workspace = await world.workspace(organization)
})
afterAll(() => world.stop())

describe.each(providers.map((provider) => [provider.id, provider] as const))('%s', (id, provider) => {
  let integration: string
  beforeAll(async () => {
    integration = await connectIntegration({ world, organization, workspace }, provider.id)
  })

  it('masks every spelling wherever the answer is cut', async () => {
    const { parts } = world.app
    const row = (await findIntegration(parts.db.query, { organizationId: organization.id, id: integration }))!
    const rules = gatewayRules[id]!
    const access = (await openAccess(parts, provider, row, new Date()))!
    const scrub = scrubOf({ parts }, rules, access)
    const headers = Object.fromEntries(Object.entries(rules.inject(access).headers).map(([name, value]) => [name.toLowerCase(), value]))
    const echoed = echo({ headers, host: 'api.example', path: '/', query: new URLSearchParams() } as unknown as TwinRequest).body
    // Each spelling by itself, as it stands between its quotation marks.
    const spellings = [...echoed.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text!).filter((text) => text.length >= 12)
    expect(spellings.length).toBeGreaterThan(8)
    for (const spelled of spellings) {
      const bytes = Buffer.from(`"${spelled}"`)
      const whole = scrub.text(bytes.toString())
      expect(whole, spelled).toContain('************')
      for (let cut = 1; cut < bytes.length; cut += QUICK ? 5 : 1) {
        const one = scrub.scrubber()
        const parts = [one.push(Buffer.from(bytes.subarray(0, cut))), one.push(Buffer.from(bytes.subarray(cut))), one.end()]
        expect(Buffer.concat(parts).equals(Buffer.from(whole)), `${spelled} cut at ${cut}`).toBe(true)
      }
    }
  })

  it('masks them when each byte comes by itself', async () => {
    const [first] = examples[id]
    const sent = async (word: string) => {
      const path = `${first!.path}${first!.path.includes('?') ? '&' : '?'}sandbox=${word}`
      const place = `/v1/organizations/${organization.slug}/workspaces/${workspace.slug}/integrations/${integration}/proxy/${path}`
      return request(world.url + place, {
        method: first!.method,
        headers: { ...organization.admin.headers, ...(first!.body ? { 'content-type': 'application/json' } : {}) },
        ...(first!.body ? { body: JSON.stringify(first!.body) } : {}),
      })
    }
    const [whole, singly] = [await sent('echo'), await sent('echo-bytes')]
    expect([whole.status, singly.status]).toEqual([200, 200])
    expect(singly.text).toBe(whole.text)
    expect(singly.text).toContain('************')
  })
})
