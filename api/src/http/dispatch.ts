// How an operation is run: for the request that came by its path, and for a tool of an agent that asks for it.
import { declaration, type OperationId } from '@adjoin/contract'
import type { Identified } from '../access/identify.ts'
import { callerKey } from '../call.ts'
import { type Budget, type Context, withinContext } from '../context.ts'
import type { OpenSpan } from '../tracer.ts'
import type { Answer } from './answer.ts'
import { authenticate, type Incoming, type Kernel, type Outgoing, perform } from './journey.ts'
import type { Overload } from './overload.ts'
import { type AddressPlace, createPlace } from './place.ts'
import { requesterOf, type Shares } from './shares.ts'

export interface Mounting {
  readonly kernel: Kernel
  readonly overload: Overload
  readonly shares: Shares
}

/** What a request has by the time its verb is asked. */
export interface RequestState {
  readonly budget: Budget
  readonly context: Context
  readonly place: AddressPlace
  /** Ends with the answer. */
  readonly span?: OpenSpan | undefined
  found: Identified | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    state: RequestState
  }
}

/** Who calls. Waiting for the body comes after it: that is no work, and takes nobody's share but the address's. */
export async function arrive(
  { kernel, overload }: Mounting,
  id: OperationId,
  request: Incoming,
  reply: Outgoing,
  state: RequestState,
): Promise<void> {
  const { context } = state
  context.operation = id
  overload.enter()
  try {
    state.found = await withinContext(context, () => authenticate(kernel, id, request, reply))
    if (state.found) context.caller = callerKey(state.found.caller)
  } finally {
    overload.leave()
  }
}

/** The operation itself, with the share of its caller and organization. `use` reads the answer; `streams`: after this has returned. */
export async function run<T>(
  { kernel, overload, shares }: Mounting,
  id: OperationId,
  request: Incoming,
  reply: Outgoing,
  { state, streams, use }: { state: RequestState; streams: boolean; use: (answer: Answer) => T | Promise<T> },
): Promise<T> {
  const { budget, context, place: ofAddress } = state
  const requester = state.found && requesterOf(state.found)
  const place = createPlace({ overload, shares, requester, ofAddress, budget, response: reply.raw })
  const waited = await place.enter()
  if (declaration(id).stream) budget.leftMs = Number.POSITIVE_INFINITY // an export takes as long as it is
  try {
    return await withinContext(context, async () => {
      // Seconds may have passed since, and powers with them.
      if (waited && requester) state.found = await authenticate(kernel, id, request, reply)
      return use(await perform(kernel, id, request, reply, state.found, place))
    })
  } finally {
    place.leave(streams)
  }
}
