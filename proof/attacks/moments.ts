// The same without holding anything back: changes sent at random moments
// around the one that takes the power away. Only their order counts.
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../ask.ts'
import { type Attack, type AttackContext, agentFrom, inParallel } from './attack-context.ts'
import { type Change, requestOf } from './changes.ts'
import { type Loss, losses, lostBy } from './losses.ts'
import { lateEntries } from './powers.ts'
import { createScene } from './scene.ts'

const ROUNDS = { small: 3, full: 60 }
const AT_ONCE = 4
const SHOTS = 6
const WITHIN_MS = 40

/**
 * Changes that any number of can be made at once, each with an entry of its own.
 * Without `setWorkspaceMember`: a role in a workspace that the attacker gave herself
 * while she still could outlives a demotion, and what she does with it is hers to do.
 */
const MANY: readonly Change[] = [
  'updateMe',
  'createWorkspace',
  'updateWorkspace',
  'createOrganizationInvitation',
  'createWorkspaceInvitation',
  'createApiKey',
  'createIntegration',
  'updateIntegration',
]

export const randomMoments: Attack = async function* (context) {
  for (const loss of losses) {
    const fitting = lostBy(loss).filter((id) => MANY.includes(id))
    const rounds = Array.from({ length: ROUNDS[context.size] }, (_, turn) => turn)
    const results = await inParallel(rounds, AT_ONCE, (turn) => round(context, loss, fitting, turn))
    const late = results.flatMap((result) => result.late)
    const made = results.reduce((sum, result) => sum + result.made, 0)
    yield {
      tried: `${rounds.length * SHOTS} changes at random moments, ${loss.class}, ${loss.name}`,
      found: late.length ? `${late.length} of ${made} came after it, such as ${late[0]}` : `${made} came before it, none after`,
      good: !late.length,
    }
  }
}

async function round(context: AttackContext, loss: Loss, fitting: readonly Change[], turn: number) {
  const scene = await createScene(context, loss.class, loss.standing, turn)
  const shots: { url: string; request: Awaited<ReturnType<typeof requestOf>>; after: number }[] = []
  for (let i = 0; i < SHOTS; i++)
    shots.push({
      url: context.urls[i % context.urls.length]!,
      request: await requestOf(context.dice.pick(fitting), scene),
      after: context.dice.below(WITHIN_MS),
    })
  const taken = sleep(WITHIN_MS / 2).then(() => loss.take(scene))
  const answers = await Promise.all(
    shots.map(async ({ url, request: { method, path, headers, body }, after }) => {
      await sleep(after)
      return ask(`${url}${path}`, { method, headers, body: JSON.parse(body), agent: agentFrom('127.0.0.1') })
    }),
  )
  await taken
  return { made: answers.filter(({ status }) => status < 300).length, late: await lateEntries(scene, loss) }
}
