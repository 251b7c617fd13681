// Hundreds of paths that two readers could read in two ways, against every ad system:
// whatever arrives at a twin is a host and a path that the tables allow, exactly as they were judged.
import { Agent, request } from 'node:http'
import type { ProviderId } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodedPath } from '../../src/domain/vendor-path.ts'
import { examples } from '../../src/gateway/examples.ts'
import { judge } from '../../src/gateway/judge.ts'
import { gatewayRules } from '../../src/gateway/rules/index.ts'
import { readBody, readQuery } from '../../src/gateway/vendor-request.ts'
import { providers } from '../../src/providers/index.ts'
import { connectIntegration } from '../connected-integration.ts'
import { inTurns } from '../sampled.ts'
import { createWorld, type TestOrganization, type TestWorkspace, type World } from '../world.ts'

let world: World
let organization: TestOrganization
let workspace: TestWorkspace
const agent = new Agent({ keepAlive: true, maxSockets: 8 })
beforeAll(async () => {
  world = await createWorld({ limitsFactor: 1000 })
  organization = await world.organization()
  workspace = await world.workspace(organization)
})
afterAll(async () => {
  agent.destroy()
  await world.stop()
})

const SEPARATORS = [
  '%2f',
  '%2F',
  '%5c',
  '\\',
  '%252f',
  '%25252f',
  '//',
  '/./',
  '/%2e/',
  '/;/',
  ';x=1',
  '%3b',
  '%3f',
  '%23',
  '%c0%af',
  '%e0%80%af',
  '%u002f',
]
const DOTS = [
  '..',
  '%2e%2e',
  '%2E%2e',
  '.%2e',
  '%2e.',
  '..%2f',
  '%252e%252e',
  '..;',
  '...',
  '%c0%ae%c0%ae',
  '%ef%bc%8e%ef%bc%8e',
  '..%00',
  '..%5c',
  '.',
]
const ODD = [
  '%00',
  '%0a',
  '%0d%0aHost:%20evil.example',
  '%09',
  '%7f',
  '%20',
  '+%20',
  '%',
  '%zz',
  '%2',
  '%e2%80%ae',
  '\u00e9',
  '%ff',
  '~',
  '*',
  '@',
  '@evil.example',
  ':80',
  '%40evil.example',
]
const HOSTS = [
  'evil.example',
  'https://evil.example',
  '//evil.example',
  '/evil.example',
  'evil.example:443',
  '127.0.0.1',
  'localhost',
  '[::1]',
  '169.254.169.254',
  'user@evil.example',
  'metadata.google.internal',
]

/** Each token before, inside of and behind every segment; hosts in front, and our own hosts spelled otherwise. */
function corpus(id: ProviderId): string[] {
  const path = examples[id][0]!.path.split('?')[0]!
  // A path of one segment is asked for with its host.
  const segments = (path.includes('/') ? path : `${gatewayRules[id]!.hosts[0]!.host}/${path}`).split('/')
  const tokens = [...SEPARATORS, ...DOTS, ...ODD]
  const inserted = tokens.flatMap((token) =>
    segments.flatMap((segment, at) => {
      const half = Math.ceil(segment.length / 2)
      const put = (text: string) => segments.with(at, text).join('/')
      return [
        put(`${token}${segment}`),
        put(`${segment.slice(0, half)}${token}${segment.slice(half)}`),
        put(`${segment}${token}`),
        put(token),
      ]
    }),
  )
  const own = gatewayRules[id]!.hosts.flatMap(({ host }) => [
    host.toUpperCase(),
    `${host}.`,
    `${host}:8443`,
    `x@${host}`,
    `${host}%00`,
    `${host}.evil.example`,
    `evil.${host}`,
    `https://${host}`,
    `${host}/..`,
    `${host}//`,
  ])
  const others = providers
    .filter((other) => other.id !== id)
    .flatMap((other) => gatewayRules[other.id]!.hosts.slice(0, 1).map(({ host }) => host))
  const foreign = others.filter((host) => !gatewayRules[id]!.hosts.some((one) => one.host === host))
  return [...inserted, ...[...HOSTS, ...own, ...foreign].map((host) => `${host}/${path}`)]
}

const call = (id: string, path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const place = `/v1/organizations/${organization.slug}/workspaces/${workspace.slug}/integrations/${id}/proxy/`
    const asked = request(world.url, { agent, method: 'GET', path: place + path, headers: organization.admin.headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode!))
    })
    asked.on('error', reject).end()
  })

/** Does the system's own table allow exactly this host and path, read in the one way there is? */
function isJudged(id: ProviderId, url: string): boolean {
  const [, host = '', path = ''] = new RegExp(`^/sandbox/${id}/([^/]+)(/[^?]*)`).exec(url) ?? []
  const rules = gatewayRules[id]!
  const decoded = decodedPath(path)
  if (decoded === undefined || !rules.hosts.some((one) => one.host === host)) return false
  const seen = { method: 'GET', path: decoded, query: readQuery(''), headers: {}, body: readBody(new Uint8Array(), undefined) }
  const judgement = judge(rules, seen, { open: rules.hosts.map((one) => one.host), named: host })
  // A reader that resolves dots and slashes finds the same host and the same path.
  const resolved = new URL(`https://${host}${path}`)
  return 'host' in judgement && judgement.host === host && resolved.host === host && resolved.pathname === path
}

describe.each(providers.map((provider) => [provider.id, provider] as const))('%s', (id, provider) => {
  it('is reached by none of them but as judged', async () => {
    const integration = await connectIntegration({ world, organization, workspace }, provider.id)
    const all = corpus(id)
    expect(all.length).toBeGreaterThanOrEqual(300)
    // In the quick run a tenth of them, another one at the next ad system.
    const paths = inTurns(all, 10, providers.indexOf(provider))
    const before = world.arrivals.length
    let next = 0
    const statuses = new Map<number, number>()
    const worker = async () => {
      while (next < paths.length) {
        const status = await call(integration, paths[next++]!)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({ length: 8 }, worker))
    // All of them are sent by GET; what comes by POST is the service itself, which lists the accounts. What arrives at
    // another system's twin, too: the first segment is ours, and is not taken from any path.
    const sent = world.arrivals.slice(before).filter(({ method, url }) => method === 'GET' && url.startsWith(`/sandbox/${id}/`))
    expect(sent.filter(({ url }) => !isJudged(id, url))).toEqual([])
    expect(statuses.get(400)).toBeGreaterThan(paths.length / 2)
    expect(statuses.get(500)).toBeUndefined()
  })
})
