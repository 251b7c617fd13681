/**
 * Sends a judged call to an ad system and passes its answer on as it comes.
 * undici rather than node:https: its `dispatch` hands over bytes without a stream in between,
 * keeps connections alive, and lets the address of each be pinned to one that was checked.
 */
import type { HangUp } from '@adjoin/contract'
import { Agent, type Dispatcher } from 'undici'
import { type Address, publicAddresses, resolveName } from '../providers/addresses.ts'
import { DEFAULT_WAITS } from '../waits.ts'
import type { ForwardFailure } from './forward-failure.ts'
import { createVendorAnswer, type VendorAnswer } from './vendor-answer.ts'

export interface Forwarded {
  readonly provider: string
  readonly method: string
  readonly host: string
  /** As it is sent: path and query, not decoded. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Where the system's twin is, in development. */
  readonly twin?: string | undefined
  /** Aborted: nobody waits for the answer any more. */
  readonly hungUp?: HangUp | undefined
  /** A read may be sent again when its connection broke before an answer began. */
  readonly repeatable: boolean
  /** Whether there is a call left for that: each sending counts. */
  readonly mayRepeat?: () => Promise<boolean>
}

export type Forward = (call: Forwarded) => Promise<VendorAnswer | ForwardFailure>

export interface ForwardOptions {
  readonly connectMs?: number
  readonly firstByteMs?: number
  readonly betweenChunksMs?: number
  readonly totalMs?: number
  /** The addresses that a host may be called at, or null: public ones, unless a stand-in is called. */
  readonly addressesOf?: (host: string) => Promise<Address[] | null>
  /** Certificates of stand-ins. */
  readonly ca?: string
  /** Says that a database transaction is open: then nothing may go out, and it throws. */
  readonly forbidden?: () => boolean
}

/** A connection is used for no longer: a name that points elsewhere is followed within a minute. */
const CONNECTION_MS = 60_000

export function createForward(options: ForwardOptions = {}): { forward: Forward; close(): Promise<void> } {
  const { connectMs = DEFAULT_WAITS.vendorConnect, firstByteMs = 60_000, betweenChunksMs = 30_000, totalMs = 900_000, forbidden } = options
  const { addressesOf = (host) => publicAddresses(host, resolveName) } = options
  const patience = {
    headersTimeout: firstByteMs,
    bodyTimeout: betweenChunksMs,
    keepAliveTimeout: 30_000,
    keepAliveMaxTimeout: CONNECTION_MS,
  }
  const pinned = new Agent({
    ...patience,
    clientTtl: CONNECTION_MS,
    connect: { timeout: connectMs, ...(options.ca && { ca: options.ca }), lookup: checkedLookup(addressesOf) },
  })
  const local = new Agent({ ...patience, connect: { timeout: connectMs } })

  const once = (call: Forwarded): Promise<VendorAnswer | ForwardFailure> =>
    new Promise((settle) => {
      const { origin, path } = addressOf(call)
      const agent = call.twin ? local : pinned
      const request: Dispatcher.DispatchOptions = {
        origin,
        path,
        method: call.method as Dispatcher.HttpMethod,
        headers: call.headers,
        ...(call.body.length && { body: Buffer.from(call.body) }),
      }
      agent.dispatch(request, createVendorAnswer(totalMs, settle, call.hungUp))
    })

  const forward: Forward = async (call) => {
    if (forbidden?.()) throw new Error('an ad system must not be called while a database transaction is open')
    const answer = await once(call)
    const again = 'failure' in answer && answer.failure === 'unreachable' && call.repeatable && !call.hungUp?.aborted
    return again && (await (call.mayRepeat?.() ?? true)) ? once(call) : answer
  }
  return { forward, close: async () => void (await Promise.all([pinned.destroy(), local.destroy()])) }
}

const addressOf = ({ provider, host, target, twin }: Forwarded) =>
  twin ? { origin: twin, path: `/sandbox/${provider}/${host}${target}` } : { origin: `https://${host}`, path: target }

/** Asked whenever a connection is opened: it goes to an address that was checked, and to no other. */
export function checkedLookup(addressesOf: NonNullable<ForwardOptions['addressesOf']>) {
  return (host: string, options: { all?: boolean }, found: (error: Error | null, ...address: never[]) => void): void => {
    const answer = found as unknown as (error: Error | null, ...address: unknown[]) => void
    addressesOf(host).then(
      (addresses) => {
        if (!addresses) answer(new Error(`${host} does not resolve to public addresses only`))
        else if (options.all) answer(null, addresses)
        else answer(null, addresses[0]!.address, addresses[0]!.family)
      },
      (error) => answer(error as Error),
    )
  }
}
