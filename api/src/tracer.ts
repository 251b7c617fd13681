// What a request or a job consists of and how long each part took, for those who look at it from outside.
import { currentContext, type Span, withinPart } from './context.ts'

export type Attributes = Readonly<Record<string, string | number>>

export interface SpanStart {
  /** `server`: we were asked; `client`: we ask somebody else. */
  readonly kind?: 'server' | 'client' | 'internal'
  readonly attributes?: Attributes
  /** What it is a part of: a span of ours, or one that a caller named by its header. */
  readonly parent?: Span | string | undefined
  /** Does that caller also decide whether it is recorded? Otherwise we do: anybody can send a header. */
  readonly decided?: boolean
  /** How long ago it began, where that is known only now. */
  readonly agoMs?: number
}

export interface OpenSpan extends Span {
  end(outcome?: SpanEnd): void
}

export interface SpanEnd {
  /** A better one may be known by now. */
  readonly name?: string
  readonly attributes?: Attributes
  /** What went wrong, in a word: never a text that could hold a secret. */
  readonly error?: string | undefined
}

/** Exists only where traces are switched on; without one, everything works the same. */
export interface Tracer {
  start(name: string, span: SpanStart): OpenSpan
  /** Sends what has not been sent. */
  stop(): Promise<void>
}

/** A piece of work of its own; statements and calls that it makes are parts of it. */
export function asSpan<T>(tracer: Tracer | undefined, name: string, work: () => Promise<T>): Promise<T> {
  if (!tracer) return work()
  const span = tracer.start(name, { parent: currentContext()?.span })
  return withinPart({ span }, () => untilEnd(span, work, () => ({})))
}

/** Ends the span with the work, and says of it what its result tells. */
export async function untilEnd<T>(span: OpenSpan, work: () => Promise<T>, tell: (result: T) => SpanEnd): Promise<T> {
  try {
    const result = await work()
    span.end(tell(result))
    return result
  } catch (error) {
    span.end({ error: (error as Error)?.name ?? 'Error' })
    throw error
  }
}
