// What a process keeps for the calls that pass through it:
// connections, places for each integration, the calls under way.
import type { Readable } from 'node:stream'
import type { CallEffect, CallOutcome, ProblemCode } from '@adjoin/contract'
import { createBulkhead } from '../providers/breaker.ts'
import type { Credential } from '../providers/provider.ts'
import { createForward, type Forward, type ForwardOptions } from './forward.ts'
import { createRecentCache, type RecentCache } from './recent-cache.ts'
import { createScrub, type Scrub } from './scrub.ts'

export interface Gateway {
  readonly forward: Forward
  /**
   * A place among the calls of an integration; null when even the queue is full.
   * Call the function to leave; calling it again does nothing.
   */
  enter(integrationId: string): Promise<(() => void) | null>
  /** Credentials of recent calls, by their sealed envelope and what it is bound to. */
  readonly openedCredentials: RecentCache<Credential>
  /** The searcher for these secrets, kept for as long as they are used. */
  scrub(key: string, secrets: () => readonly string[]): Scrub
  /** Streams under way, by organization: a freeze cuts them. */
  readonly streams: Streams
  readonly watch: GatewayWatch
  close(): Promise<void>
}

/** Hears of every call and every refusal, for the operator's metrics. */
export interface GatewayWatch {
  called(provider: string, effect: CallEffect, outcome: CallOutcome): void
  /** By code; what was refused before an integration was found has the provider `-`. */
  refused(provider: string, code: ProblemCode): void
  /** Secrets that an ad system wrote into an answer. */
  scrubbed(provider: string, secrets: number): void
}

export interface Streams {
  add(organizationId: string, stream: Readable): void
  organizations(): string[]
  cut(organizationId: string): void
}

const AT_ONCE = 8
const WAITING = 16
const WAIT_MS = 30_000
/** A program calls again within seconds, or not for hours: between such times no secret stays in memory. */
const KEEP_MS = 15_000
const MAX_KEPT = 500

const UNWATCHED: GatewayWatch = { called() {}, refused() {}, scrubbed() {} }

export function createGateway(options: ForwardOptions = {}, watch: GatewayWatch = UNWATCHED): Gateway {
  const { forward, close } = createForward(options)
  const places = new Map<string, { readonly enter: ReturnType<typeof createBulkhead>; users: number }>()
  const scrubs = createRecentCache<Scrub>(KEEP_MS, MAX_KEPT)
  const streams = new Map<string, Set<Readable>>()

  return {
    forward,
    watch,
    close,
    async enter(integrationId) {
      const place = places.get(integrationId) ?? { enter: createBulkhead(AT_ONCE, WAITING), users: 0 }
      places.set(integrationId, place)
      place.users++
      const done = () => {
        if (--place.users === 0) places.delete(integrationId)
      }
      const leave = await place.enter(WAIT_MS)
      if (!leave) done()
      if (!leave) return null
      let left = false
      return () => {
        if (left) return
        left = true
        leave()
        done()
      }
    },
    openedCredentials: createRecentCache(KEEP_MS, MAX_KEPT),
    scrub: (key, secrets) => scrubs.getOrMake(key, () => createScrub(secrets())),
    streams: {
      add(organizationId, stream) {
        const all = streams.get(organizationId) ?? new Set()
        streams.set(organizationId, all.add(stream))
        stream.once('close', () => {
          all.delete(stream)
          if (!all.size && streams.get(organizationId) === all) streams.delete(organizationId)
        })
      },
      organizations: () => [...streams.keys()],
      cut(organizationId) {
        for (const stream of streams.get(organizationId) ?? []) stream.destroy(new Error('The organization was frozen.'))
      },
    },
  }
}
