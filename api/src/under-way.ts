// A request that may last, as whoever answers it sees it: kept by access/under-way.ts from its admission on.
import type { HangUp, WorkspaceRole } from '@adjoin/contract'

/** Aborted: its caller has hung up, or lost the power to make it. */
export interface UnderWay extends HangUp {
  /** Throws why it was ended, if it was. */
  check(): void
  /** What it rests on besides its caller's own powers: refuses where that is gone. */
  alsoNeeds(judge: (now: { readonly workspace: { readonly role: WorkspaceRole } | null }) => Promise<unknown>): void
  /** It stood in a queue: what was judged before no longer counts. */
  waited(): void
  judgedWithin(ms: number): boolean
  /** Identifies and authorizes the caller again, and asks what else is needed: refuses what was taken away. */
  judgeAgain(): Promise<void>
}
