// How a kind of fault is tested: it begins and ends under load, the service recovers,
// and every answer of that time is judged.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Finding } from '../finding.ts'
import type { ProbeAnswer } from './probe.ts'
import type { ServiceUnderLoad } from './service-under-load.ts'

export interface FaultKind {
  readonly name: string
  /**
   * Codes that requests may be refused with while it lasts;
   * anything else is a failure, except for a rare `unavailable` on a busy machine.
   */
  readonly refusals: readonly string[]
  /** How long after its end each kind of request may take to succeed again. */
  readonly withinMs: number
  /**
   * Causes the fault and ends it; `complain` reports what went wrong meanwhile.
   * Throws `NotPlayed` if this machine can't cause it.
   */
  cause(subject: ServiceUnderLoad, complain: (text: string) => void): Promise<void>
  /** What is still wrong after the recovery. */
  readonly check?: (subject: ServiceUnderLoad) => Promise<string[]>
}

export class NotPlayed extends Error {}

/** Waits until a request was refused because of the fault: a fault that no request meets proves nothing. */
export async function untilNoticed(
  { probe }: ServiceUnderLoad,
  code: string,
  complain: (text: string) => void,
  atLeastMs = 2000,
): Promise<void> {
  const [began, first] = [performance.now(), probe.answers.length]
  await sleep(atLeastMs)
  for (; !probe.answers.slice(first).some((answer) => answer.code === code && answer.began >= began); await sleep(50))
    if (performance.now() - began > MAX_NOTICE_MS) return complain(`nobody noticed within ${MAX_NOTICE_MS / 1000} s`)
}
const MAX_NOTICE_MS = 14_000

/**
 * Accepted at any time, also long after a fault: an earlier request with the same key,
 * or a check, that died on the way still holds its claim.
 */
const ALWAYS: Record<string, readonly string[]> = { 'write again': ['request_running', 'answer_lost'], verify: ['check_running'] }

/** The share of requests that may find the service busy; with more, the fault of a dependency has spread to us. */
const RARE = 0.03

export async function playKind(subject: ServiceUnderLoad, kind: FaultKind, rounds: number): Promise<Finding> {
  const { probe, ledger } = subject
  const [began, first] = [performance.now(), probe.answers.length]
  const [sessions, writes] = [ledger.sessions.length, ledger.acknowledged.size]
  const complaints = new Set<string>()
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    try {
      await kind.cause(subject, (complaint) => complaints.add(complaint))
    } catch (error) {
      if (error instanceof NotPlayed && round === 0) return { tried: kind.name, found: `not run: ${error.message}` }
      complaints.add(firstLine(error)) // it worked in the first round, so it must work again
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
