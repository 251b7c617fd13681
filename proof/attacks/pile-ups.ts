// One client must not stop the service: answers that nobody reads,
// bodies that never end, bodies that are dear to read, one guest's sixty changes at once.
import { setTimeout as sleep } from 'node:timers/promises'
import { access, type OperationId, operationIds, route } from '@adjoin/contract'
import { wideValues } from '../../api/test/hostile-shapes.ts'
import type { Finding } from '../finding.ts'
import { type Attack, type AttackContext, newAddress } from './attack-context.ts'
import { type Flood, startFlood } from './flood.ts'
import { createHonest, type Honest, judge } from './honest.ts'
import { connect, createScene, proxyOf } from './scene.ts'

/** How long each attack goes on, cut sockets coming back all the time, and how long it is quiet before. */
const SECONDS = { small: { quiet: 3, attack: 3 }, full: { quiet: 5, attack: 20 } }

const PIPELINED = 1300
const DOCUMENTS = { sockets: 30, each: 1500 }
const TRICKLES = 1100
const CHANGES = 60
/** As large as a call through an integration may be. */
const BODY = 1_000_000

const publicOperations = operationIds.filter((id) => access[id] === 'public')

export const pileUps: Attack = async function* (context) {
  const honest = await createHonest(context)
  await honest.during(() => sleep(1000)) // the first answers of a process take longer than all that follow
  for (const pileUp of await pileUpsOn(context)) yield await runPileUps(context, honest, pileUp)
}

async function runPileUps({ watch, size }: AttackContext, honest: Honest, { tried, floods, instead }: PileUp): Promise<Finding> {
  const { quiet: pause, attack } = SECONDS[size]
  watch.during(tried)
  const quiet = await honest.during(async () => {
    const harmless = instead && startFlood(instead)
    await sleep(pause * 1000)
    await harmless?.stop()
  })
  const flooding = startFlood(floods)
  let told = { opened: 0, answers: 0 }
  const busy = await honest.during(async () => {
    await flooding.open
    await sleep(attack * 1000)
    told = await flooding.stop()
  })
  await watch.revive()
  const read = told.answers ? `, ${told.answers} answers read` : ''
  return judge(`${tried}, ${told.opened} sockets in ${attack} s${read}`, size, quiet, busy)
}

interface PileUp {
  readonly tried: string
  readonly floods: readonly Flood[]
  /** As large and harmless, to compare with: else with nothing. */
  readonly instead?: readonly Flood[]
}

/** All of them at one replica, where they hurt most; the guest's changes at every one. */
async function pileUpsOn(context: AttackContext): Promise<PileUp[]> {
  const ports = context.urls.map((url) => Number(new URL(url).port))
  const port = ports[0]!
  const unread = (ids: readonly OperationId[]) =>
    ids.map((id) => ({ port, from: newAddress(), sockets: 1, opening: publicRequest(id).repeat(PIPELINED) }))
  const pipelined =
    context.size === 'small'
      ? [
          {
            tried: `${PIPELINED} requests that nobody reads on each of ${publicOperations.length} public operations`,
            floods: unread(publicOperations),
          },
        ]
      : publicOperations.map((id) => ({ tried: `${PIPELINED} × ${id} that nobody reads`, floods: unread([id]) }))
  const document = { port, from: newAddress(), sockets: DOCUMENTS.sockets, opening: publicRequest('getOpenApi').repeat(DOCUMENTS.each) }
  const trickle = { port, from: newAddress(), sockets: TRICKLES, opening: head('POST', '/v1/signup', ['content-length: 60000']), drip: ' ' }
  return [
    ...pipelined,
    { tried: `${DOCUMENTS.sockets} × ${DOCUMENTS.each} /openapi.json that nobody reads`, floods: [document] },
    { tried: `${TRICKLES} bodies that come a byte at a time`, floods: [trickle] },
    ...(await hostileBodies(context, port)),
    { tried: `${CHANGES} parallel PATCH /v1/me of one guest`, floods: await guestFloods(context, ports) },
  ]
}

async function guestFloods({ furnish }: AttackContext, ports: readonly number[]): Promise<Flood[]> {
  const organization = await furnish.organization()
  const guest = await furnish.join(organization, 'guest')
  const body = JSON.stringify({ name: 'Guest' })
  const opening = head('PATCH', '/v1/me', [`authorization: ${guest.headers.authorization}`, `content-length: ${body.length}`]) + body
  const from = newAddress()
  return ports.map((port) => ({ port, from, sockets: CHANGES / ports.length, opening, reading: true }))
}

/** One caller's, through one integration, each after the answer to the one before: small to send and dear to read. */
async function hostileBodies(context: AttackContext, port: number): Promise<PileUp[]> {
  const scene = await createScene(context, 'organizationKey', 'admin', 0)
  const path = `${proxyOf(await connect(scene, 'the_trade_desk'))}/v3/campaign/query/advertiser`
  const wide = wideValues(BODY)
  const lists = `[${'1,'.repeat(500)}1]`
  const form = Array.from({ length: Math.floor(BODY / (lists.length + 7)) }, (_, n) => `a${n}=${lists}`).join('&')
  const shapes = ['numbers', 'many names', 'names of their own in objects', 'lists beside lists', 'objects as deep as may be', 'UUIDs']
  const bodies = { 'lists in a form': form, ...Object.fromEntries(shapes.map((name) => [name, wide[name]!])) }
  const key = Object.entries(scene.headers).map(([name, value]) => `${name}: ${value}`)
  const floodOf = (body: string): Flood => {
    const type = body === form ? 'application/x-www-form-urlencoded' : 'application/json'
    const opening = head('POST', path, [...key, `content-length: ${Buffer.byteLength(body)}`], type) + body
    return { port, from: newAddress(), sockets: 1, opening, reading: true }
  }
  const instead = [floodOf(JSON.stringify('a'.repeat(BODY - 2)))]
  const pileUps = Object.entries(bodies).map(([name, body]) => ({
    tried: `bodies of 1 MB one after the other, ${name}, compared with one long text`,
    floods: [floodOf(body)],
    instead,
  }))
  return context.size === 'full' ? pileUps : pileUps.slice(0, 1)
}

function publicRequest(id: OperationId): string {
  const [method, template] = route(id)
  const path = template.replace(/\{\w+\}/g, (name) => (name === '{provider}' ? 'google' : 'x'.repeat(43)))
  return method === 'GET' ? head(method, path) : `${head(method, path, ['content-length: 2'])}{}`
}

const head = (method: string, path: string, lines: readonly string[] = [], type = 'application/json'): string =>
  [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1', ...(method === 'GET' ? [] : [`content-type: ${type}`]), ...lines, '\r\n'].join('\r\n')
