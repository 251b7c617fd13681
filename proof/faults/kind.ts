// How a kind of fault is tested: it begins and ends under load, the service recovers,
// and every answer of that time is judged.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Finding, Size } from '../finding.ts'
import type { ProbeAnswer } from './probe.ts'
import { type ServiceUnderLoad, UNREACHED } from './service-under-load.ts'

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
   * Causes the fault and ends it; reports what went wrong meanwhile.
   * Throws `NotPlayed` if this machine can't cause it.
   */
  cause(subject: ServiceUnderLoad, report: FaultReport): Promise<void>
  /** What is still late after the recovery. */
  readonly check?: (subject: ServiceUnderLoad) => Promise<string[]>
}

/** What went wrong. Only what is late is tried again: it may be the machine's doing, where others keep it busy. */
export interface FaultReport {
  /** Refused, or too slow. */
  late(text: string): void
  /** Lost, doubled, or against the contract. */
  wrong(text: string): void
}

export const ROUNDS: Record<Size, number> = { small: 1, full: 10 }
/** How often a kind is tried in which something is late: the full size has the machine for itself. */
const TRIES: Record<Size, number> = { small: 5, full: 1 }

export class NotPlayed extends Error {}

/** Waits until a request was refused because of the fault: a fault that no request meets proves nothing. */
export async function untilNoticed({ probe }: ServiceUnderLoad, code: string, report: FaultReport, atLeastMs = 2000): Promise<void> {
  const [began, first] = [performance.now(), probe.answers.length]
  await sleep(atLeastMs)
  for (; !probe.answers.slice(first).some((answer) => answer.code === code && answer.began >= began); await sleep(50))
    if (performance.now() - began > MAX_NOTICE_MS) return report.late(`nobody noticed within ${MAX_NOTICE_MS / 1000} s`)
}
const MAX_NOTICE_MS = 14_000

/**
 * Accepted at any time, also long after a fault: an earlier request with the same key,
 * or a check, that died on the way still holds its claim.
 */
const ALWAYS: Record<string, readonly string[]> = { 'write again': ['request_running', 'answer_lost'], verify: ['check_running'] }

/** The share of requests that may find the service busy; with more, the fault of a dependency has spread to us. */
const RARE = 0.03

/** What people meet as well where the machine leaves the service no time. */
const LATE = ['unavailable', 'outcome_unknown', 'provider_unavailable', 'hung', 'cut', UNREACHED]
/** Between two tries. */
const MAX_REST_MS = 60_000

export async function playKind(subject: ServiceUnderLoad, kind: FaultKind, size: Size): Promise<Finding> {
  const [rounds, tries] = [ROUNDS[size], TRIES[size]]
  const before: string[] = []
  for (let turn = 1; ; turn++) {
    const late = new Set<string>()
    const wrong = new Set<string>()
    const report = { late: (text: string) => void late.add(text), wrong: (text: string) => void wrong.add(text) }
    const found = await play(subject, kind, rounds, report).catch((error: Error) => error)
    if (found instanceof NotPlayed) return { tried: kind.name, found: `not run: ${found.message}` }
    if (found instanceof Error) throw found
    const complaints = [...wrong, ...late]
    const tried = rounds > 1 ? `${kind.name}, ${rounds} times` : kind.name
    if (!complaints.length || wrong.size || turn === tries)
      return {
        tried,
        found: `${before.map((complaint) => `${complaint}; then `).join('')}${found}${complaints.length ? `; ${complaints.slice(0, 5).join('; ')}` : ', none lost'}`,
        good: complaints.length === 0,
      }
    before.push(complaints.join('; '))
    await subject.probe.recovered(performance.now(), MAX_REST_MS)
  }
}

async function play(subject: ServiceUnderLoad, kind: FaultKind, rounds: number, report: FaultReport): Promise<string> {
  const { probe, ledger } = subject
  const [began, first] = [performance.now(), probe.answers.length]
  const [sessions, writes] = [ledger.sessions.length, ledger.acknowledged.size]
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    try {
      await kind.cause(subject, report)
    } catch (error) {
      if (error instanceof NotPlayed && round === 0) throw error
      report.late(firstLine(error)) // it worked in the first round, so it must work again
    }
    const ended = performance.now()
    const time = await probe.recovered(ended, kind.withinMs)
    if (time === undefined) report.late(`not good again after ${kind.withinMs} ms: ${probe.missing(ended).join(', ')}`)
    else times.push(time)
    await probe.settled(performance.now())
    for (const complaint of (await kind.check?.(subject)) ?? []) report.late(complaint)
  }
  const look = async (told: Promise<string[]>) => {
    try {
      for (const complaint of await told) report.wrong(complaint)
    } catch (error) {
      report.late(firstLine(error))
    }
  }
  await Promise.all([look(ledger.reconcile(subject.client, subject.slug)), look(subject.complaints())])
  for (const token of ledger.sessions.slice(sessions).slice(-5)) {
    const { good, code = 'hung' } = await probe.ask('session', '/v1/me', { headers: { authorization: `Bearer ${token}` } })
    if (!good) report[LATE.includes(code) ? 'late' : 'wrong'](`a session that was given is refused (${code})`)
  }
  const answers = probe.answers.slice(first).filter((answer) => answer.began >= began)
  judge(kind, answers, report)
  return `${summary(answers, times)}; ${ledger.acknowledged.size - writes} writes`
}

function judge({ refusals }: FaultKind, answers: readonly ProbeAnswer[], report: FaultReport): void {
  const busy = answers.filter(({ code }) => code === 'unavailable').length <= answers.length * RARE
  for (const { action, code, defect, hangs, ms } of answers) {
    if (defect) report.wrong(defect)
    else if (hangs) report.late(`${action} took ${Math.round(ms)} ms`)
    else if (!code || refusals.includes(code) || ALWAYS[action]?.includes(code) || (busy && code === 'unavailable')) continue
    else report[LATE.includes(code) ? 'late' : 'wrong'](`${action} was answered with ${code}`)
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
