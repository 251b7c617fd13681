// A power must not outlive its revocation:
// every change × every way to lose the power to make it × a body held back, chunked or dribbled.

import { type ExportedEntry, verifyExport } from '../chain.ts'
import type { Finding } from '../finding.ts'
import type { ShotAnswer } from '../volley.ts'
import { type Attack, type AttackContext, counted, inParallel, outcomeOf } from './attack-context.ts'
import { type Change, requestOf } from './changes.ts'
import { type BodyStyle, bodyStyles, hold } from './held.ts'
import { type Loss, losses, lostBy } from './losses.ts'
import { type AttackScene, createScene } from './scene.ts'

const AT_ONCE = 8
const REFUSED = [401, 403, 404]

interface Try {
  readonly change: Change
  readonly style: BodyStyle
  readonly turn: number
}

/** One line for each way to lose a power: every change that it should have stopped. */
export const heldPowers: Attack = async function* (context) {
  for (const [nth, loss] of losses.entries()) {
    const tries = context.size === 'small' ? someTries(lostBy(loss), nth) : allTries(lostBy(loss))
    const outcomes = await inParallel(tries, AT_ONCE, (one) => attempt(context, loss, one))
    yield findingOf(`${loss.class}, ${loss.name}`, tries, outcomes)
  }
}

/** By turns every other change, in one manner: over all the losses each change meets each manner. */
const someTries = (lost: readonly Change[], nth: number): Try[] =>
  lost.flatMap((change, i) => ((i + nth) % 2 ? [] : [{ change, style: bodyStyles[((i + nth) / 2) % bodyStyles.length]!, turn: i }]))

const allTries = (lost: readonly Change[]): Try[] =>
  lost.flatMap((change, i) => [...bodyStyles, ...bodyStyles, ...bodyStyles].map((style, turn) => ({ change, style, turn: i + turn })))

interface AttackOutcome {
  readonly said: string
  readonly faults: readonly string[]
}

async function attempt(context: AttackContext, loss: Loss, { change, style, turn }: Try): Promise<AttackOutcome> {
  const scene = await createScene(context, loss.class, loss.standing, turn)
  const request = await requestOf(change, scene)
  const held = await hold(context.urls[turn % context.urls.length]!, request, style)
  await loss.take(scene) // answered by another replica
  const answer: ShotAnswer | Error = await held.finish().catch((error: Error) => error)
  const said = answer instanceof Error ? answer.message : outcomeOf(answer)
  const late = await lateEntries(scene, loss)
  const refused = !(answer instanceof Error) && REFUSED.includes(answer.status)
  return {
    said,
    faults: [...(refused ? [] : [`${change} (${style}): ${said}`]), ...late.map((kind) => `${change}: ${kind} after ${loss.kind}`)],
  }
}

function findingOf(tried: string, tries: readonly Try[], outcomes: readonly AttackOutcome[]): Finding {
  const broken = outcomes.filter(({ faults }) => faults.length)
  const faults = broken.flatMap((outcome) => outcome.faults)
  return {
    tried: `a body held while ${tried}, ${tries.length} tries of ${new Set(tries.map(({ change }) => change)).size} changes`,
    found: broken.length
      ? `${broken.length} not refused, such as ${faults.slice(0, 3).join('; ')}`
      : `refused: ${counted(outcomes.map(({ said }) => said))}`,
    good: !broken.length,
  }
}

/**
 * The chain's order is the order of the commits:
 * nothing of the attacker's may stand behind the entry that tells of the loss.
 */
export async function lateEntries(scene: AttackScene, loss: Loss): Promise<string[]> {
  const { context, organization, attacker, credentialId } = scene
  const { entries, verdict } = await verifyExport(context.urls[0]!, organization.admin.token, organization.slug)
  if (!verdict.good) return [`a chain that is ${verdict.text}`]
  const at = lossAmong(entries, loss, scene)
  if (at < 0) return [`no ${loss.kind}`]
  const own = (entry: ExportedEntry) => entry.actor.id === attacker.id || entry.actor.id === credentialId
  return entries.slice(at + 1).flatMap((entry) => (own(entry) ? [entry.action] : []))
}

/** The admin's entry about the attacker or their key; where they gave it up themselves, their own. */
function lossAmong(entries: readonly ExportedEntry[], { kind }: Loss, { organization, attacker, credentialId }: AttackScene): number {
  const by = (actor: string) =>
    entries.findIndex((entry) => entry.action === kind && entry.actor.id === actor && [attacker.id, credentialId].includes(entry.target.id))
  const taken = by(organization.admin.id)
  return taken < 0 ? by(attacker.id) : taken
}
