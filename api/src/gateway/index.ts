// What a process keeps for the calls that pass through it:
// connections, places for each integration, credentials of a moment ago.
import type { CallEffect, CallOutcome, ProblemCode } from '@adjoin/contract'
import type { Credential } from '../providers/provider.ts'
import { createForward, type Forward, type ForwardOptions } from './forward.ts'
import { createPlaces, type Places } from './places.ts'
import { createRecentCache, type RecentCache } from './recent-cache.ts'
import { createScrub, type Scrub } from './scrub.ts'

export interface Gateway {
  readonly forward: Forward
  /** Places among the calls of an integration. */
  readonly places: Places
  /** Credentials of recent calls, by their sealed envelope and what it is bound to. */
  readonly openedCredentials: RecentCache<Credential>
  /** The searcher for these secrets, kept for as long as they are used. */
  scrub(key: string, secrets: () => readonly string[]): Scrub
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

/** A program calls again within seconds, or not for hours: between such times no secret stays in memory. */
const KEEP_MS = 15_000
const MAX_KEPT = 500

const UNWATCHED: GatewayWatch = { called() {}, refused() {}, scrubbed() {} }

export function createGateway(options: ForwardOptions = {}, watch: GatewayWatch = UNWATCHED): Gateway {
  const { forward, close } = createForward(options)
  const scrubs = createRecentCache<Scrub>(KEEP_MS, MAX_KEPT)

  return {
    forward,
    watch,
    close,
    places: createPlaces(),
    openedCredentials: createRecentCache(KEEP_MS, MAX_KEPT),
    scrub: (key, secrets) => scrubs.getOrMake(key, () => createScrub(secrets())),
  }
}
