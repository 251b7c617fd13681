import type * as z from 'zod'
import type { AuditKind } from './audit-events.ts'
import type { OperationId } from './paths.ts'
import type { ProblemCode } from './problems.ts'

/** What a change leaves in the audit trail: kinds, or the reason why nothing. */
export type Records = readonly AuditKind[] | { readonly nothing: string }

export interface Declaration {
  readonly summary: string
  readonly description?: string
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /**
   * The request as it was sent: headers, query and body in bytes, any content type, received whole up to so many bytes. The last parameter of
   * its path takes the rest of the path as it was written.
   */
  readonly verbatim?: { readonly mostBytes: number /** A client of ours sends a body along. */; readonly sends?: 'bytes' }
  /** Exactly one of the answers. */
  readonly ok?: z.ZodType
  readonly created?: z.ZodType
  /** With `created`: the read that `Location` leads to. Without one there is no such header. */
  readonly location?: OperationId
  readonly accepted?: z.ZodType
  readonly empty?: true
  readonly redirect?: true
  /**
   * With `ok`: where there is nothing to answer with yet, the answer may come later, after at most so many seconds.
   * The query's `wait` says how long the caller wants to wait.
   */
  readonly wait?: { readonly mostSeconds: number }
  /** Content types, written while they are read. With `verbatim` the verb says status and headers, too. */
  readonly stream?: readonly string[]
  /** Afterwards its caller may not see the place any more: a repetition is told all the same that it was carried out. */
  readonly endsPlace?: true
  /** Takes `dryRun`, and then answers with what the change would end. */
  readonly preview?: true
  /** The same for everyone until the next start: serialized and compressed once, with an ETag. */
  readonly constant?: true
  /** Fields of the answer that a repetition of the request does not get again. */
  readonly shownOnce?: readonly string[]
  readonly records?: Records
  /** Refusals of the verb itself; those of the kernel (400, 401, 403, 404, 429 …) follow from the tables. */
  readonly refuses?: readonly ProblemCode[]
}

/** Keeps the literal types of a declaration; it does nothing at run time. */
export const operation = <const D extends Declaration>(declaration: D): D => declaration

/** What a verb gets of a `verbatim` request. */
export interface VerbatimRequest {
  /** Without the question mark. */
  readonly query: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Uint8Array
  /** Aborted when the caller hangs up before the answer is whole. */
  readonly hungUp: HangUp
}

/** An AbortSignal, as far as it is needed. */
export interface HangUp {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void
}
/** What a client sends with one. */
export type VerbatimBody = string | Uint8Array | undefined

/** An answer that is written while it is read. */
export interface Streamed {
  readonly type: string
  /** Bytes where all of it is there already. */
  readonly chunks: AsyncIterable<string | Uint8Array> | Uint8Array
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | string[]>>
}

type Parsed<D, Part extends string> = D extends { [P in Part]: infer S extends z.ZodType } ? z.output<S> : Record<never, never>
type Sent<D, Part extends string> = D extends { [P in Part]: infer S extends z.ZodType } ? z.input<S> : Record<never, never>

export type Params<D> = Parsed<D, 'params'>
export type Query<D> = Parsed<D, 'query'>
export type Body<D> = D extends { verbatim: object } ? VerbatimRequest : Parsed<D, 'body'>
export type SentParams<D> = Sent<D, 'params'> & Sent<D, 'query'>
export type SentBody<D> = D extends { verbatim: { sends: 'bytes' } }
  ? VerbatimBody
  : D extends { body: infer S extends z.ZodType }
    ? z.input<S>
    : never

type AnswerSchema<D> = D extends { ok: infer S } ? S : D extends { created: infer S } ? S : D extends { accepted: infer S } ? S : never
/** What a verb returns: the answer before its schema has parsed it (dates are Dates). */
export type Answer<D> = D extends { redirect: true }
  ? { location: string }
  : D extends { stream: readonly string[] }
    ? Streamed
    : D extends { empty: true }
      ? undefined
      : z.input<AnswerSchema<D> & z.ZodType>
/** What a client receives. */
export type Output<D> = D extends { redirect: true } | { stream: readonly string[] }
  ? Response
  : D extends { empty: true }
    ? undefined
    : z.output<AnswerSchema<D> & z.ZodType>
