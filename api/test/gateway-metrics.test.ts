import { callEffects, callOutcomes, problems, providerIds } from '@adjoin/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callable, connected, createSuite, type Suite } from './suite.ts'
import { request } from './world.ts'

let suite: Suite
beforeAll(async () => {
  suite = await createSuite({ metricsPort: 0 })
})
afterAll(() => suite.stop())

const metrics = async () => (await request(`http://127.0.0.1:${suite.world.app.metricsPort}/metrics`)).text

it('counts calls of programs by ad system, effect and outcome, what was refused by its code, and masked secrets', async () => {
  const tenant = await suite.tenant()
  const { organization, w } = tenant
  const [full, reading] = [await callable(tenant), await connected(tenant)]
  const call = (id: string, path: string, method = 'GET') =>
    request(`${suite.world.url}/v1/organizations/${w.orgSlug}/workspaces/${w.workspaceSlug}/integrations/${id}/proxy/${path}`, {
      method,
      headers: organization.admin.headers,
    })
  await call(full.id, 'campaign')
  await call(full.id, 'campaign', 'DELETE')
  await call(full.id, 'campaign?sandbox=echo')
  await call(reading.id, 'campaign', 'DELETE')
  await call(full.id, 'some/path')
  await call(crypto.randomUUID(), 'campaign')
  const shown = await metrics()
  expect(shown).toContain('adjoin_gateway_calls_total{provider="xandr",effect="read",outcome="ok"} 2')
  expect(shown).toMatch(/adjoin_gateway_calls_total\{provider="xandr",effect="change",outcome="\w+"\} 1/)
  expect(shown).toContain('adjoin_gateway_refused_total{provider="xandr",code="change_refused"} 1')
  expect(shown).toContain('adjoin_gateway_refused_total{provider="xandr",code="path_refused"} 1')
  expect(shown).toContain('adjoin_gateway_refused_total{provider="-",code="not_found"} 1')
  expect(Number(/adjoin_gateway_scrubbed_total\{provider="xandr"\} (\d+)/.exec(shown)?.[1])).toBeGreaterThan(5)
})

it('knows only words of our own as labels, whatever callers send', async () => {
  const lines = (await metrics()).split('\n').filter((line) => line.startsWith('adjoin_gateway_'))
  const known: Record<string, readonly string[]> = {
    provider: ['-', ...providerIds],
    effect: callEffects,
    outcome: callOutcomes,
    code: Object.keys(problems),
  }
  for (const line of lines) for (const [, label, value] of line.matchAll(/(\w+)="([^"]*)"/g)) expect(known[label!], line).toContain(value)
})
