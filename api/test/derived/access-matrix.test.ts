// Every operation × every kind of caller × every place:
// what is answered is what the table of access says. A new operation joins by itself.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { groups, isChange, type OperationId, operationIds, route } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type AccessCaller,
  createCallers,
  createIntegration,
  createLinkedIntegration,
  createRequest,
  createWebhook,
  type Site,
} from '../access-callers.ts'
import {
  type Expected,
  expected,
  type KeyTarget,
  keyTargets,
  places,
  type Scope,
  type TargetPlace,
  table,
  unlisted,
} from '../access-table.ts'
import { byPairs } from '../sampled.ts'
import { createWorld, newAddress, request, sql, type World } from '../world.ts'

let world: World
let callers: Awaited<ReturnType<typeof createCallers>>
let run = 0
beforeAll(async () => {
  world = await createWorld({ roles: { api: true, jobs: false }, limitsFactor: 1000 })
  callers = await createCallers(world)
})
afterAll(() => world.stop())

interface Cell {
  readonly id: OperationId
  readonly who: AccessCaller
  readonly place: TargetPlace
  readonly target?: KeyTarget
  readonly expected: Expected
}

const scopeOf = (id: OperationId): Scope => {
  const [, path] = route(id)
  return path.includes('{workspaceSlug}') ? 'workspace' : path.includes('{orgSlug}') ? 'organization' : 'platform'
}

/**
 * The places where an operation can be tried:
 * an organization has no inherited or crossed one, and no id, no mix.
 */
function placesOf(id: OperationId): TargetPlace[] {
  const [, path] = route(id)
  const scope = scopeOf(id)
  if (scope === 'platform') return ['own']
  if (scope === 'workspace') return places.filter((place) => place !== 'crossed' || /\{(id|requestId)\}/.test(path))
  return path.includes('{id}') || path.includes('{userId}') ? ['own', 'foreign', 'mixed'] : ['own', 'foreign']
}

function targetsOf(id: OperationId, who: AccessCaller, place: TargetPlace): (KeyTarget | undefined)[] {
  if (!/^(get|create|update|disable|enable|revoke|rotate)ApiKey(?:Usage)?$/.test(id)) return [undefined]
  if (place !== 'own') return ['organization key']
  if (id === 'createApiKey') return ['my user key', 'organization key', 'own workspace key', 'inherited workspace key']
  return keyTargets.filter((target) => target !== 'itself' || (id === 'rotateApiKey' && who.key && who.agency))
}

const cellsOf = (id: OperationId): Cell[] =>
  callers.all.flatMap((who) =>
    placesOf(id).flatMap((place) =>
      targetsOf(id, who, place).map((target) => ({
        id,
        who,
        place,
        ...(target && { target }),
        expected: expected(id, scopeOf(id), who, place, target),
      })),
    ),
  )

/** In the quick run: every operation by every caller, and with every answer at every place and about every key. */
const pairsOf = ({ id, who, place, target, expected }: Cell) => [
  `${id} ${who.name}`,
  `${id} ${place} ${expected}`,
  `${id} ${target} ${expected}`,
]

const own = () => callers.sites.own

/** Bodies that change nothing, or nothing that another cell could notice. */
const bodies: { readonly [Id in OperationId]?: (site: Site, target: KeyTarget | undefined) => object } = {
  signUp: () => ({
    email: 'ada@new-agency.example',
    name: 'Ada',
    organizationName: 'New',
    organizationSlug: 'new-agency',
    provider: 'magic-link',
  }),
  createConnectRequest: () => ({ title: 'Accounts', items: [{ integrationId: randomUUID() }] }),
  renewWithSameLogin: () => ({ integrationIds: [randomUUID()] }),
  bulkIntegrations: () => ({ action: 'disable', ids: [randomUUID()] }),
  sendSignInLink: () => ({ email: 'nobody@elsewhere.example' }),
  verifySignIn: () => ({ token: 'unknown' }),
  pollDeviceLogin: () => ({ deviceCode: 'unknown' }),
  setMyNotifications: () => ({ mode: 'now' }),
  updateMe: () => ({ name: 'Ada' }),
  updateOrganization: ({ organization: { name } }) => ({ name }),
  updateOrganizationMember: () => ({ role: 'viewer' }),
  createOrganizationInvitation: () => ({ email: 'invited@elsewhere.example', role: 'viewer' }),
  createWorkspace: ({ workspace: { name, slug } }) => ({ name, slug }),
  updateWorkspace: ({ workspace: { name } }) => ({ name }),
  setWorkspaceMember: () => ({ role: 'viewer' }),
  createWorkspaceInvitation: () => ({ email: 'invited@elsewhere.example', role: 'viewer' }),
  createApiKey: (_, target) => ({
    name: 'Key',
    level: target!.split(' ').at(-2),
    ...(target !== 'my user key' && { role: 'viewer' }),
    ...(target === 'own workspace key' && { workspaceSlug: own().workspace.slug }),
    ...(target === 'inherited workspace key' && { workspaceSlug: callers.sites.inherited.workspace.slug }),
  }),
  updateApiKey: () => ({ name: 'Renamed' }),
  createIntegration: () => ({ provider: 'xandr', name: 'Publisher' }),
  setIntegrationCallPolicy: () => ({ mode: 'off' }),
  freezeOrganization: () => ({ reason: 'A key leaked' }),
  createWebhook: () => ({ url: 'http://elsewhere.example/hook' }),
  replayWebhook: () => ({ from: '2999-01-01T00:00:00Z' }),
}

/** What an allowed request would use up: each gets its own. */
const fresh: { readonly [Id in OperationId]?: (site: Site, who: AccessCaller) => Promise<Record<string, string>> } = {
  cancelConnectRequest: async (site) => ({ requestId: await createRequest(site) }),
  deleteWebhook: async (site) => ({ id: (await createWebhook(world, site)).webhook }),
  deleteIntegration: async (site) => ({ id: await createIntegration(world, site, 'pending') }),
  revokeConnectLink: async (site) => ({ id: await createLinkedIntegration(world, site) }),
  removeWorkspaceMember: async ({ organization, workspace }) => {
    const person = await world.join(organization, 'viewer')
    await world.assign(organization, workspace, person, 'viewer')
    return { userId: person.id }
  },
}

/** Ends the caller's sessions: done with somebody else's. */
async function headersOf({ id, who, expected }: Cell): Promise<Record<string, string>> {
  if (expected !== 'allowed' || !id.startsWith('signOut')) return who.headers
  const { token } = await world.person()
  return who.headers.cookie ? { ...who.headers, cookie: `adjoin_session=${token}` } : { authorization: `Bearer ${token}` }
}

const ELSEWHERE = { id: randomUUID(), token: 'unknown', result: 'unknown', itemId: randomUUID(), userCode: 'BCDF-GHJK', path: 'campaign' }

/** The path's own site, and the parameters it names, which may be somebody else's. */
async function requestOf(cell: Cell) {
  const { id, who, place, target } = cell
  const site = place === 'mixed' || place === 'crossed' ? own() : callers.sites[place]
  const named = { own: site, inherited: site, foreign: site, mixed: callers.sites.foreign, crossed: callers.sites.inherited }[place]
  const { params } = named
  const used = cell.expected === 'allowed' ? await fresh[id]?.(site, who) : undefined
  const key =
    target && id !== 'createApiKey'
      ? await callers.keyFor(who, target, named.organization === own().organization ? 'agency' : 'other')
      : undefined
  const thing = /Invitation$/.test(id) ? `${scopeOf(id)}Invitation` : /Webhook/.test(id) ? 'webhook' : 'integration'
  const idOf = key?.id ?? params[thing]
  return {
    site,
    params: {
      ...ELSEWHERE,
      provider: id === 'getProvider' ? 'xandr' : 'google',
      orgSlug: site.organization.slug,
      workspaceSlug: place === 'mixed' ? named.workspace.slug : site.workspace.slug,
      // The only admin can neither leave nor be removed: 409 for whoever may remove people.
      userId: id === 'removeOrganizationMember' ? named.organization.admin.id : params.userId!,
      ...(scopeOf(id) !== 'platform' && { id: idOf!, deliveryId: params.deliveryId!, requestId: params.requestId! }),
      ...used,
    } as Record<string, string>,
    headers: key?.headers,
  }
}

/** Sent again where a busy machine sheds it. */
async function send(cell: Cell) {
  const [method, path] = route(cell.id)
  const { site, params, headers = await headersOf(cell) } = await requestOf(cell)
  const hasBody = isChange(cell.id) && method !== 'DELETE'
  const body = hasBody ? JSON.stringify(bodies[cell.id]?.(site, cell.target) ?? {}) : undefined
  for (let tries = 0; ; tries++) {
    const answer = await request(`${world.url}${path.replace(/\{(\w+)\}/g, (_, name: string) => params[name]!)}`, {
      method,
      address: newAddress(),
      headers: { ...headers, ...(hasBody && { 'content-type': 'application/json' }) },
      ...(body && { body }),
    })
    if (answer.status !== 503 || tries === 20) return answer
    await sleep(100)
  }
}

const problemOf = ({ text, headers }: Awaited<ReturnType<typeof send>>): { code?: string } =>
  headers.get('content-type') === 'application/problem+json' ? JSON.parse(text) : {}

/** Null: as expected. */
async function fault(cell: Cell, anonymous: string | undefined): Promise<string | null> {
  const answer = await send(cell)
  run++
  const { status } = answer
  const { code } = problemOf(answer)
  const got =
    cell.expected === 'open'
      ? anonymous === undefined || anonymous === `${status} ${code}`
      : cell.expected === 'allowed'
        ? status < 500 && status !== 401 && status !== 403 && status !== 429 && (status !== 404 || scopeOf(cell.id) === 'platform')
        : status === cell.expected && code !== undefined && (status !== 401 || answer.headers.has('www-authenticate'))
  if (got) return null
  const { id, who, place, target = '' } = cell
  return `${id} ${target} · ${who.name} · ${place}: expected ${cell.expected === 'open' ? anonymous : cell.expected}, got ${status} ${code ?? ''}`
}

async function faults(cells: readonly Cell[]): Promise<string[]> {
  const found: string[] = []
  const rest = cells.values()
  const worker = async () => {
    for (const cell of rest) {
      const wrong = await fault(cell, opened.get(cell.id))
      if (wrong) found.push(wrong)
    }
  }
  await Promise.all(Array.from({ length: 12 }, worker))
  return found.sort()
}
/** What anybody is answered where credentials are ignored. */
const opened = new Map<OperationId, string>()

it('knows every operation, and no other', () => {
  const add = 'add each to `rows` or `open` of api/test/access-table.ts'
  expect(
    [...operationIds, ...Object.keys(unlisted)].filter((id) => !table.has(id)),
    add,
  ).toEqual([])
  expect(
    [...table.keys()].filter((id) => !operationIds.includes(id as OperationId)),
    'no such operation',
  ).toEqual([])
})

describe('the access matrix', () => {
  it.each(Object.entries(groups))('holds in %s', async (_, group) => {
    const ids = Object.keys(group) as OperationId[]
    for (const id of ids.filter((one) => table.get(one) === 'open')) {
      const answer = await send({ id, who: callers.all[0]!, place: 'own', expected: 'open' })
      opened.set(id, `${answer.status} ${problemOf(answer).code}`)
    }
    expect(await faults(byPairs(ids.flatMap(cellsOf), pairsOf))).toEqual([])
    // Whoever may freeze has done so.
    await world.query(sql`update organizations set frozen_at = null, frozen_by = null, frozen_reason = null`)
  })

  it('has more than 2,000 cells', () => {
    console.info(`access matrix: ${run} cells of ${operationIds.length} operations and ${callers.all.length} callers`)
    expect(run).toBeGreaterThan(2000)
  })
})
