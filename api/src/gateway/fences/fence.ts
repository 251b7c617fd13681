// Which accounts a call names, as an ad system writes them: tables of rows, one file per system.
import type { VendorRequest } from '../vendor-request.ts'

/** Settings and what was entered at connecting. */
export type ConnectionValues = Readonly<Record<string, string | undefined>>

/** One place where a call names accounts. */
export interface LocateRow {
  readonly in: 'path' | 'query' | 'header' | 'body'
  /**
   * Of a path: patterns with `{account}`. Of the others: names; in a body dotted, lists adding nothing, `**.` for any depth.
   * All of them are read, and any of them does for `required`.
   */
  readonly at?: readonly string[]
  /** Instead of names: what a text holds, in `text` of that name or in every text. Its group is the account. */
  readonly scan?: RegExp
  readonly text?: string
  /** Instead of names: what no name can say. `null`: cannot be read, so the call is refused. */
  readonly pick?: (body: unknown) => readonly unknown[] | null
  /** The calls it is about; all, where none is named. */
  readonly on?: readonly string[]
  /** Without a value the call is refused: always, or on these. */
  readonly required?: boolean | readonly string[]
  /** Nor is it required then. */
  readonly unless?: (request: VendorRequest) => boolean
  /** Two different values refuse the call, even if both are allowed. */
  readonly once?: true
  /** A list in one text. */
  readonly split?: ',' | 'json' | 'List()'
  /** The account is this group of the value; what does not match refuses the call. */
  readonly value?: RegExp
  /**
   * `via`: the manager that a call goes through; may also be the root of every account named.
   * `extra`: checked, but does not make a call one about an account, since the ad system may not even read it there.
   * `mapped`: another kind of id, known from the list of accounts.
   */
  readonly role?: 'via' | 'extra' | 'mapped'
}

/** The handle of a job that was started inside: it may be used again by those who are fenced in. */
export interface RememberRow {
  readonly kind: string
  /** `METHOD pattern` of the call that starts it. */
  readonly from: string
  /** Where its answer holds the handle. */
  readonly id: readonly string[]
  /** `METHOD pattern`, with `{handle}`, or with the name of the parameter that holds it. */
  readonly usedBy: readonly { readonly row: string; readonly query?: string; readonly body?: string }[]
}

export interface Fence {
  /** What the list of accounts calls those that a fence is made of. */
  readonly kinds: readonly string[]
  /** An account as it must be written. Its group, where it has one, is the account itself. */
  readonly id: RegExp
  readonly locate: readonly LocateRow[]
  /** `METHOD pattern` a line: names no account and needs none. */
  readonly neutral?: string
  readonly neutralWhen?: readonly ConditionalRow[]
  /** `METHOD pattern` a line: reaches more than one account, or one that it does not name. */
  readonly blind?: string
  readonly blindWhen?: readonly ConditionalRow[]
  /** Patterns a line: names an object alone, whose account only the ad system knows. */
  readonly objects?: string
  /** Names in a body, on these patterns, that do the same. */
  readonly objectsInBody?: readonly { readonly on: readonly string[]; readonly names: readonly string[] }[]
  readonly remember?: readonly RememberRow[]
  /** Only calls that a row is about by name pass: this system's lists cover everything unless told otherwise. */
  readonly positive?: true
  /** Bodies may be forms; else JSON alone is read the way the ad system does. */
  readonly forms?: true
  /** This system's reader does not mind the letter case of a body's names. */
  readonly caseless?: true
  /** Texts that hold JSON are read as such. */
  readonly innerJson?: true
  /** What no row can say. */
  readonly refuses?: (request: VendorRequest, values: ConnectionValues) => boolean
}

export interface ConditionalRow {
  readonly row: string
  readonly when: (request: VendorRequest) => boolean
}

/** The account in a text, as fences hold it; undefined where it is not written the one right way. */
export function accountIn({ id }: Pick<Fence, 'id'>, text: string): string | undefined {
  const match = id.exec(text)
  return match ? (match[1] ?? match[0]) : undefined
}
