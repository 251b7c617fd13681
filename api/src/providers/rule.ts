/** The table from an ad system's answers to our reasons: what is looked at, and what a row says. */
import type { ReasonCode } from './reasons.ts'

/** What the call is for: the same answer means different things at a token endpoint and at the API. */
export type VendorStep = 'exchange' | 'refresh' | 'login' | 'verify' | 'revoke'

export type VendorAnswer = {
  status: number
  headers: Readonly<Record<string, string>>
  /** Parsed JSON (integers past 2^53 kept as strings), or undefined when the body is none. */
  body: unknown
  text: string
}

/**
 * One row of a provider's table. Every condition given must hold;
 * `code` is tried against each code of the answer.
 */
export type AnswerRule = {
  on?: VendorStep | readonly VendorStep[]
  status?: number | readonly number[]
  code?: RegExp
  text?: RegExp
  header?: string
  reason: ReasonCode
  /** Renew once and repeat before believing it. */
  stale?: true
  /** Seconds to wait, where the vendor states a rule instead of a header. */
  after?: number
}
