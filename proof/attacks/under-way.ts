// What is under way at an ad system ends with the power to read it, and what waits for its turn is not sent:
// every way to lose the power, or what a call rests on, at another replica.
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../ask.ts'
import type { Size } from '../finding.ts'
import { type Attack, type AttackContext, counted, inParallel, newAddress, outcomeOf, unique } from './attack-context.ts'
import { losses } from './losses.ts'
import { type AttackScene, type CallPlace, connect, createScene, proxyOf } from './scene.ts'

/** What one caller may have under way at once through an integration; one more waits. */
const PLACES = 6
const AT_ONCE = 4
const TURNS = { small: 1, full: 4 }
const ARRIVED_MS = 25_000
/** Long enough for one more to wait. If it was not, the try was weak, but what it shows is still true. */
const WAITING_MS = 80
const WITHIN_MS = 1000

interface CallLoss {
  readonly name: string
  create(context: AttackContext, turn: number): Promise<AttackScene>
  take(scene: AttackScene, at: CallPlace): Promise<unknown>
}

const ofIntegration: Record<string, CallLoss['take']> = {
  'integration disabled': ({ keeper }, at) => keeper.disableIntegration(at),
  'calls off': ({ keeper }, at) => keeper.setIntegrationCallPolicy(at, { mode: 'off' }),
  'fence narrowed': ({ keeper }, at) => keeper.setIntegrationCallPolicy(at, { mode: 'read', accounts: ['adv2sand'] }),
  'organization frozen': ({ keeper, o }) => keeper.freezeOrganization(o, { reason: 'A key leaked' }),
  'workspace deleted': ({ keeper, w }) => keeper.deleteWorkspace({ ...w, force: 'true' }),
}

const callLosses: readonly CallLoss[] = [
  ...losses
    .filter(({ left }) => left !== 'viewer')
    .map(({ class: of, standing, name, take }) => ({
      name: `${of}, ${name}`,
      create: (context: AttackContext, turn: number) => createScene(context, of, standing, turn),
      take: (scene: AttackScene) => take(scene),
    })),
  ...Object.entries(ofIntegration).map(([name, take]) => ({
    name,
    create: (context: AttackContext, turn: number) => createScene(context, 'organizationKey', 'admin', turn),
    take,
  })),
]

/** The rest of them are ended by the service, or, in every second try, by their caller, who frees the places for what waits. */
export const underWay: Attack = async function* (context) {
  const tries = callLosses.flatMap((loss, i) => Array.from({ length: TURNS[context.size] }, (_, n) => ({ loss, turn: i + n })))
  const outcomes = await inParallel(tries, AT_ONCE, ({ loss, turn }) => attempt(context, loss, turn))
  const late = outcomes.flatMap(({ name, sent }) => (sent ? [name] : []))
  yield {
    tried: `a read waiting for its turn while its power ends, in ${callLosses.length} ways, ${tries.length} tries`,
    found: late.length ? `${late.length} sent, such as after: ${late[0]}` : `none sent: ${counted(outcomes.map(({ said }) => said))}`,
    good: !late.length,
  }
  const cut = outcomes.flatMap(({ name, endedMs }) => (endedMs === undefined ? [] : [{ name, endedMs }]))
  yield judgeEnds(
    cut.toSorted((a, b) => b.endedMs - a.endedMs),
    context.size,
  )
}

/** The small size may have the machine to share: there they must have been cut, since a whole answer takes longer than that. */
function judgeEnds(slowestFirst: readonly { name: string; endedMs: number }[], size: Size) {
  const [slowest, middle] = [slowestFirst[0]!, slowestFirst[Math.floor(slowestFirst.length / 2)]!]
  return {
    tried: `${slowestFirst.length * PLACES} answers under way, the same`,
    found: `all ended, half within ${middle.endedMs} ms, the last after ${slowest.endedMs} ms (${slowest.name})`,
    good: slowest.endedMs < (size === 'full' ? WITHIN_MS : ARRIVED_MS),
  }
}

async function attempt(context: AttackContext, { name, create, take }: CallLoss, turn: number) {
  const { urls, vendor } = context
  const scene = await create(context, turn)
  const at = await connect(scene, 'the_trade_desk')
  const [mark, late] = [`slow-${unique()}`, `late-${unique()}`]
  const [agent, other] = [new Agent({ localAddress: newAddress() }), new Agent({ localAddress: newAddress() })]
  const send = (query: string, by: Agent) =>
    ask(`${urls[turn % urls.length]}${proxyOf(at)}/v3/campaign/query/advertiser?${query}`, {
      method: 'POST',
      headers: scene.headers,
      body: { AdvertiserId: '1234567890', PageStartIndex: 0, PageSize: 100 },
      agent: by,
      withinMs: 2 * ARRIVED_MS,
    }).catch((error: Error) => error)
  const running = Array.from({ length: PLACES }, () => send(`sandbox=slow&mark=${mark}`, agent))
  for (let waited = 0; vendor.arrived(mark) < PLACES; waited += 10) {
    if (waited > ARRIVED_MS) throw new Error(`${name}: ${vendor.arrived(mark)} of ${PLACES} arrived`)
    await sleep(10)
  }
  const waiting = send(`mark=${late}`, other)
  await sleep(WAITING_MS)
  await take(scene, at)
  const took = performance.now()
  if (turn % 2) agent.destroy()
  await Promise.all(running)
  const endedMs = Math.round(performance.now() - took)
  const answer = await waiting
  for (const one of [agent, other]) one.destroy()
  return {
    name,
    said: answer instanceof Error ? answer.message : outcomeOf(answer),
    sent: vendor.arrived(late) > 0,
    endedMs: turn % 2 ? undefined : endedMs,
  }
}
