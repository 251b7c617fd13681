// Every secret of the story: those typed in, and those the service and the ad systems made.
import { randomBytes } from 'node:crypto'
import type { HeardExchange } from '../../api/test/answers.ts'

export interface Canary {
  readonly what: string
  readonly text: string
  /** The answers that are there to show it. */
  readonly shownIn?: (exchange: HeardExchange) => boolean
  /** Whose mails it belongs into. */
  readonly mailedTo?: string
}
export type CanaryLedger = ReturnType<typeof createLedger>

export function createLedger() {
  const canaries = new Map<string, Canary>()
  /** A secret that came up; the first word on where it may be shown holds. */
  const keep = (what: string, text: string | null | undefined, more: Omit<Canary, 'what' | 'text'> = {}): string => {
    if (!text || text.length < 6) throw new Error(`there is no ${what}`)
    if (!canaries.has(text)) canaries.set(text, { what, text, ...more })
    return text
  }
  /** A secret that somebody types; `word` is for the twins, which play what they are told. */
  const make = (what: string, word = ''): string => keep(what, `Cn${word}${randomBytes(12).toString('hex')}`)
  return { keep, make, all: () => [...canaries.values()] }
}

/** Six digits are a code only where they stand alone, and only in text that a person would read. */
export const isCode = ({ text }: Canary) => /^\d{6}$/.test(text)
export const codesIn = (codes: readonly Canary[], text: string): Canary[] =>
  codes.filter(({ text: code }) => new RegExp(`(?<![\\w.-])${code}(?![\\w.-])`).test(text))
