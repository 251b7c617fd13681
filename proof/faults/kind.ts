// How a kind of fault is played: begun and ended under load, waited out,
// and judged by what every request of that time was answered.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Finding } from '../finding.ts'
import type { ProbeAnswer } from './probe.ts'
import type { ServiceUnderLoad } from './service-under-load.ts'

export interface FaultKind {
  readonly name: string
  /**
   * Codes that requests may be refused with while it lasts;
   * anything else is a failure, save a rare `unavailable` on a busy machine.
   */
  readonly refusals: readonly string[]
  /** How long after its end the first good answer of every sort may take. */
  readonly withinMs: number
  /**
   * The fault from its beginning to its end; `complain` tells what was wrong meanwhile.
   * A `NotPlayed` says that this machine cannot.
   */
  play(subject: ServiceUnderLoad, complain: (text: string) => void): Promise<void>
  /** What must hold once all is well again. */
  readonly check?: (subject: ServiceUnderLoad) => Promise<string[]>
}

export class NotPlayed extends Error {}

/** Lasts until somebody has felt it, too: a fault that nobody meets proves nothing. */
export async function untilFelt(
  { probe }: ServiceUnderLoad,
  code: string,
  complain: (text: string) => void,
  atLeastMs = 2000,
): Promise<void> {
  const [began, first] = [performance.now(), probe.answers.length]
  await sleep(atLeastMs)
  for (; !probe.answers.slice(first).some((answer) => answer.code === code && answer.began >= began); await sleep(50))
    if (performance.now() - began > FELT_MS) return complain(`nobody noticed within ${FELT_MS / 1000} s`)
}
const FELT_MS = 14_000

/**
 * True at any time, also long after a fault:
 * a request with this key, or a check, that died under way still holds its claim.
 */
const ALWAYS: Record<string, readonly string[]> = { 'write again': ['request_running', 'answer_lost'], verify: ['check_running'] }

/** A dependency's trouble is not ours: more than this would be its trouble spreading. */
const RARE = 0.03

export async function playKind(subject: ServiceUnderLoad, kind: FaultKind, rounds: number): Promise<Finding> {
  const { probe, ledger } = subject
  const [began, first] = [performance.now(), probe.answers.length]
  const [sessions, writes] = [ledger.sessions.length, ledger.acknowledged.size]
  const complaints = new Set<string>()
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    try {
      await kind.play(subject, (complaint) => complaints.add(complaint))
    } catch (error) {
      if (error instanceof NotPlayed && round === 0) return { tried: kind.name, found: `not run: ${error.message}` }
      complaints.add(firstLine(error)) // what can be played once can be played again
    }
    const ended = performance.now()
    const time = await probe.recovered(ended, kind.withinMs)
    if (time === undefined) complaints.add(`not good again after ${kind.withinMs} ms: ${probe.missing(ended).join(', ')}`)
    else times.push(time)
    await probe.settled(performance.now())
    for (const complaint of (await kind.check?.(subject)) ?? []) complaints.add(complaint)
  }
  for (const told of [ledger.reconcile(subject.client, subject.slug), subject.complaints()])
    for (const complaint of await told.catch((error) => [firstLine(error)])) complaints.add(complaint)
  for (const token of ledger.sessions.slice(sessions).slice(-5)) {
    const { good, code } = await probe.ask('session', '/v1/me', { headers: { authorization: `Bearer ${token}` } })
    if (!good) complaints.add(`a session that was given is refused (${code})`)
  }
  const answers = probe.answers.slice(first).filter((answer) => answer.began >= began)
  const busy = answers.filter(({ code }) => code === 'unavailable').length <= answers.length * RARE
  for (const { action, code, complaint } of answers) {
    if (complaint) complaints.add(complaint)
    else if (!code || kind.refusals.includes(code) || ALWAYS[action]?.includes(code) || (busy && code === 'unavailable')) continue
    else complaints.add(`${action} was answered with ${code}`)
  }
  return {
    tried: rounds > 1 ? `${kind.name}, ${rounds} times` : kind.name,
    found: `${summary(answers, times)}; ${ledger.acknowledged.size - writes} writes${complaints.size ? `; ${[...complaints].slice(0, 5).join('; ')}` : ', none lost'}`,
    good: complaints.size === 0,
  }
}

function summary(answers: readonly ProbeAnswer[], times: readonly number[]): string {
  const slowest = answers.reduce((one, other) => (other.ms > one.ms ? other : one))
  const codes = new Map<string, number>()
  for (const { code } of answers) if (code) codes.set(code, (codes.get(code) ?? 0) + 1)
  const refused = [...codes].map(([code, count]) => `${count} ${code}`).join(', ')
  const good = answers.filter(({ code }) => !code).length
  const back = times.length ? `good again in ${seconds(Math.max(...times))}` : 'never good again'
  return `${answers.length} requests, ${good} good${refused && `, ${refused}`}; slowest ${seconds(slowest.ms)} (${slowest.action}); ${back}`
}

const firstLine = (error: unknown) => (error as Error).message.split('\n', 1)[0]!
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
