// What is known of the work at hand, wherever in it somebody asks:
// logs, metrics and the database agree on it without being handed it.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { OperationId } from '@adjoin/contract'

/** How long one request may still wait for the database, in all. */
export interface Budget {
  leftMs: number
  /** Whose share of the connections it uses: the address's, until it is known who calls. */
  share?: { readonly group: string; readonly member?: string | undefined }
}

/** A piece of work as those know it who trace it from outside (W3C Trace Context). */
export interface Span {
  readonly traceId: string
  /** Will it be told of? Its parts need not be looked at otherwise. */
  readonly recorded: boolean
  /** The header by which somebody else's spans become parts of it. */
  readonly traceparent: string
}

export interface Context {
  /** Ours, which the audit trail keeps. */
  readonly requestId?: string
  /** What a trusted proxy calls the same request, and the trace that it belongs to (W3C Trace Context). */
  readonly proxyRequestId?: string | undefined
  readonly traceId?: string | undefined
  /** What statements and calls are parts of, where traces are taken. */
  readonly span?: Span | undefined
  readonly budget?: Budget | undefined
  /** Set while a transaction is under way; closed when it has ended. */
  readonly transaction?: { open: boolean }
  operation?: OperationId
  /** The tool of an agent that asked for it, by its own name. */
  tool?: string
  /** As the idempotency keys name callers: `user:…` or `key:…`. */
  caller?: string
}

const contexts = new AsyncLocalStorage<Context>()

/** Of the request that is being answered; a job's has no request in it. */
export const currentContext = (): Context | undefined => contexts.getStore()

export const withinContext = <T>(context: Context, work: () => T): T => contexts.run(context, work)

/** The same context with something changed, for as long as `work` lasts. */
export const withinPart = <T>(change: Context, work: () => T): T => contexts.run({ ...contexts.getStore(), ...change }, work)

/** What every line of the log says of its request. */
export function loggedContext(context = contexts.getStore()): Record<string, string> {
  const { requestId, proxyRequestId, traceId, operation, tool, caller } = context ?? {}
  return {
    ...(requestId && { requestId }),
    ...(proxyRequestId && { proxyRequestId }),
    ...(traceId && { traceId }),
    ...(operation && { operation }),
    ...(tool && { tool }),
    ...(caller && { caller }),
  }
}

/** `00-<trace>-<span>-<flags>`; later versions may append, and an id of zeros names nothing. */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  const [, version, trace, span] = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-|$)/.exec(traceparent ?? '') ?? []
  if (!trace || version === 'ff' || /^0+$/.test(trace) || /^0+$/.test(span!)) return undefined
  if (version === '00' && traceparent!.length !== 55) return undefined
  return trace
}

/** Only a trusted proxy's, and only what is harmless in a header and in a log. */
export const proxyRequestIdOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' && /^[\w.-]{1,64}$/.test(header) ? header : undefined
