// Requests that may last: calls to ad systems, exports, waits for events. Where their caller loses the power
// to make them meanwhile, they end within a second, whichever process took it away, and whatever took it.
import type { Readable } from 'node:stream'
import type { HangUp } from '@adjoin/contract'
import { type Budget, withinPart } from '../context.ts'
import type { Database } from '../db/pool.ts'
import type { Log } from '../log.ts'
import { Refusal } from '../refusal.ts'
import type { UnderWay } from '../under-way.ts'
import type { Identified } from './identify.ts'
import { readPowers } from './powers.ts'

export interface LastingRequest {
  readonly found: Identified
  /** The integration that it goes through. */
  readonly integrationId?: string | undefined
  readonly hungUp?: HangUp | undefined
  /** When its caller was identified, by performance.now(). */
  readonly judgedAt: number
  /** Identifies and authorizes the caller again: refuses, or says who calls now. */
  identifyAgain(): Promise<Identified>
}

/** One of them, as whoever runs it sees it. */
export interface LastingEntry extends UnderWay {
  /** It lasts as long as this stream, which is cut where it must end. */
  follow(stream: Readable): void
  leave(): void
}

export interface LastingRequests {
  enter(request: LastingRequest): LastingEntry
  readonly size: number
  stop(): Promise<void>
}

interface Entry extends LastingEntry {
  readonly request: LastingRequest
  readonly judgedAt: number
  /** What its powers rested on when it was last judged by the watch; any difference is a reason to judge again. */
  powers: string | undefined
  end(why: Refusal): void
}

const LOOK_EVERY_MS = 250
/** Neither jobs nor requests keep it from a connection. */
const OWN_BUDGET: Budget = { leftMs: Number.POSITIVE_INFINITY, share: { group: 'under way' } }
/** Most requests are over by then, and cost nothing here. With a look it is still well within a second. */
const YOUNG_MS = 400

export function watchLastingRequests({ db, log }: { db: Database; log: Log }): LastingRequests {
  const all = new Set<Entry>()
  let looking: Promise<void> | undefined

  const judge = async (entry: Entry, powers: string) => {
    if (entry.powers === powers) return
    try {
      await entry.judgeAgain()
      entry.powers = powers // read before: what changes after it is seen the next time
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      entry.end(endedBy(error, entry.request))
    }
  }
  const look = async () => {
    const now = performance.now()
    const due = [...all].filter(({ powers, judgedAt }) => powers !== undefined || now - judgedAt > YOUNG_MS)
    if (!due.length) return
    const powersOf = await readPowers(
      db,
      due.map(({ request }) => request),
    )
    await Promise.all(due.map((entry) => judge(entry, powersOf(entry.request))))
  }
  const timer = setInterval(() => {
    looking ??= withinPart({ budget: OWN_BUDGET }, look)
      .catch((error) => log.warn({ err: error }, 'could not look for powers that were taken away; trying again in a moment'))
      .finally(() => {
        looking = undefined
      })
  }, LOOK_EVERY_MS).unref()

  return {
    get size() {
      return all.size
    },
    enter(request) {
      const entry = createEntry(request, (it) => all.delete(it))
      all.add(entry)
      return entry
    },
    async stop() {
      clearInterval(timer)
      await looking
    },
  }
}

function createEntry(request: LastingRequest, over: (entry: Entry) => void): Entry {
  const listeners: (() => void)[] = []
  let { judgedAt } = request
  let refusal: Refusal | undefined
  let needs: Parameters<UnderWay['alsoNeeds']>[0] | undefined
  let stream: Readable | undefined
  const entry: Entry = {
    request,
    powers: undefined,
    get judgedAt() {
      return judgedAt
    },
    get aborted() {
      return refusal !== undefined || request.hungUp?.aborted === true
    },
    addEventListener(type, listener) {
      listeners.push(listener)
      request.hungUp?.addEventListener(type, listener)
    },
    check() {
      if (refusal) throw refusal
    },
    alsoNeeds(judge) {
      needs = judge
    },
    waited() {
      judgedAt = Number.NEGATIVE_INFINITY
    },
    judgedWithin: (ms) => performance.now() - judgedAt < ms,
    async judgeAgain() {
      const began = performance.now()
      const now = await request.identifyAgain()
      await needs?.(now)
      judgedAt = began
      entry.check()
    },
    end(why) {
      if (refusal) return
      refusal = why
      stream?.destroy(why)
      for (const listener of listeners) listener()
    },
    follow(followed) {
      stream = followed
      stream.on('error', () => {}) // whoever reads it hears of it
      stream.once('close', () => over(entry))
      if (refusal) stream.destroy(refusal)
      entry.check()
    },
    leave() {
      if (!stream) over(entry)
    },
  }
  return entry
}

/** Its reader learns that it was not whole, and why; and that it is not the ad system who says so. */
const endedBy = ({ code, message, details }: Refusal, { integrationId }: LastingRequest) =>
  new Refusal(code, {
    ...details,
    detail: `This request was ended before its answer was complete. ${message}`,
    headers: { ...details.headers, ...(integrationId && { 'adjoin-answer': 'adjoin' }) },
  })
