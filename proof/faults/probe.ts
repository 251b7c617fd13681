// A steady mixed load, as people, programs and balancers make it, and a record of every answer it got.
import { setTimeout as sleep } from 'node:timers/promises'
import { problems } from '@adjoin/contract'

/** One request and what came back. */
export interface ProbeAnswer {
  readonly action: string
  readonly began: number
  readonly ms: number
  /** 0: the connection was cut. */
  readonly status: number
  /** Of a refusal: its code; of a redirect to the error page: that page's code. */
  readonly code?: string
  /** What is wrong with this answer, whatever the fault. */
  readonly defect?: string
  /** Nobody should have to wait so long. */
  readonly hangs: boolean
}

export interface ProbeInit extends RequestInit {
  /** The statuses that mean success; 200 unless told. */
  readonly wanted?: readonly number[]
  /** A success may still tell of trouble: in one word, for the record. */
  readonly trouble?: (body: unknown) => string | undefined
}
export type ProbeAsk = (
  action: string,
  path: string,
  init?: ProbeInit,
) => Promise<{ good: boolean; code?: string; body: unknown; headers: Headers }>

export interface Probe {
  readonly ask: ProbeAsk
  readonly answers: readonly ProbeAnswer[]
  /** Repeats an action, one after the other, with a pause in between, until the probe is stopped. */
  repeat(pauseMs: number, action: () => Promise<unknown>): void
  /** Milliseconds until every action has succeeded that began after `since`; undefined when one did not. */
  recovered(since: number, withinMs: number): Promise<number | undefined>
  /** Those that have had no success since then. */
  missing(since: number): string[]
  /** Waits until everything that began before is answered. */
  settled(before: number): Promise<void>
  stop(): Promise<void>
}

/** Longer than any answer may take: whoever still waits then hangs. */
const PATIENCE_MS = 20_000
const HANG_MS = 15_000

export function createProbe(url: string, actions: readonly string[]): Probe {
  const answers: ProbeAnswer[] = []
  const underway = new Map<symbol, number>()
  /** When the newest success of each action began. */
  const succeeded = new Map<string, number>()
  const loops: Promise<void>[] = []
  let going = true

  const ask: ProbeAsk = async (action, path, { wanted = [200], trouble, ...init } = {}) => {
    const began = performance.now()
    const id = Symbol(action)
    underway.set(id, began)
    try {
      const response = await fetch(`${url}${path}`, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS), ...init })
      const text = await response.text()
      const good = wanted.includes(response.status) && !response.headers.get('location')?.includes('/error?')
      const { defect, body, ...found } = judge(response, text, good)
      const code = found.code ?? (good ? trouble?.(body) : undefined)
      note({ action, began, ms: performance.now() - began, status: response.status, code, defect })
      return { good, code, body, headers: response.headers }
    } catch (error) {
      const hung = (error as Error).name === 'TimeoutError'
      note({ action, began, ms: performance.now() - began, status: 0, code: hung ? 'hung' : 'cut' })
      return { good: false, body: undefined, headers: new Headers() }
    } finally {
      underway.delete(id)
    }
  }
  const note = (answered: Omit<ProbeAnswer, 'hangs'>) => {
    answers.push({ ...answered, hangs: answered.ms > HANG_MS })
    if (!answered.code) succeeded.set(answered.action, answered.began)
  }
  const missing = (since: number) => actions.filter((action) => !(succeeded.get(action)! >= since))

  return {
    ask,
    answers,
    repeat: (pauseMs, action) => {
      const loop = async () => {
        for (; going; await sleep(pauseMs)) await action()
      }
      loops.push(loop())
    },
    missing,
    recovered: async (since, withinMs) => {
      while (missing(since).length) {
        if (performance.now() - since > withinMs) return undefined
        await sleep(20)
      }
      return Math.round(performance.now() - since)
    },
    settled: async (before) => {
      while ([...underway.values()].some((began) => began < before)) await sleep(20)
    },
    stop: async () => {
      going = false
      await Promise.all(loops)
    },
  }
}

/** A refusal is a problem document as the contract has it, or it is a defect. */
function judge(response: Response, text: string, good: boolean): { code?: string; defect?: string; body: unknown } {
  const { status, headers } = response
  const location = headers.get('location')
  if (status < 400)
    return { body: parsed(text), ...(!good && { code: new URL(location ?? 'x:?code=odd').searchParams.get('code') ?? 'odd' }) }
  const body = parsed(text) as Record<string, unknown> | undefined
  const code = String(body?.['code'] ?? status)
  const sound =
    headers.get('content-type')?.startsWith('application/problem+json') &&
    code in problems &&
    body?.['status'] === status &&
    typeof body['requestId'] === 'string' &&
    (status !== 503 || Number(headers.get('retry-after')) >= 1)
  if (!sound) return { code, body, defect: `${status} is no problem document: ${text.slice(0, 200)}` }
  return { code, body, ...(status === 500 && { defect: `a defect, request ${body['requestId']}` }) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
