// An ad system's answer while it arrives:
// looked into at its beginning, then passed on with back-pressure, without its secrets.
import { Readable, type Transform } from 'node:stream'
import type { HangUp } from '@adjoin/contract'
import type { Dispatcher } from 'undici'
import { decoders } from './decoders.ts'
import { Aborted, type ForwardFailure, failureOf, TimedOut, Unusable } from './forward-failure.ts'
import type { Scrubber } from './scrub.ts'

export interface VendorAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
  /**
   * Its first bytes, decompressed: all of them where it is short.
   * It waits no longer than this for a slow one.
   */
  peek(mostBytes: number, mostMs: number): Promise<{ readonly bytes: Buffer; readonly whole: boolean }>
  /** All of its bytes, where they have arrived already: a short one needs no stream. Then there is no `body`. */
  whole(): Buffer | undefined
  /** It broke off, and nothing of it was passed on yet. */
  broken(): ForwardFailure | undefined
  /**
   * The rest of its life: bytes without secrets, no faster than they are read. Ending it ends the call.
   * Where it breaks off before its first byte was read, the stream ends with `unbegun`.
   */
  body(scrubber: Scrubber, ended: (error: Error | null) => void, unbegun?: Error): Readable
  abort(): void
}

/** What is read ahead of whoever reads it. */
const AHEAD_BYTES = 256 << 10

/**
 * An answer begins to be passed on when this much of it has arrived, or all of it, or after a moment: what breaks
 * before that is a failure with a name, and not an answer that ends in the middle. What is packed may hide a fault
 * up to its end, and is rare, since nobody asks for it.
 */
const LOOK_BYTES = 16 << 10
const LOOK_MS = 1000

/** What is searched for secrets at once, and for how long before others have their turn. */
const PIECE_BYTES = 64 << 10
const TURN_MS = 8

/** A short answer is one chunk most of the time: it is not copied. */
const joined = (chunks: readonly Buffer[]): Buffer => (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks))

export function createVendorAnswer(
  totalMs: number,
  settle: (answer: VendorAnswer | ForwardFailure) => void,
  hungUp?: HangUp,
): Dispatcher.DispatchHandler {
  let controller: Dispatcher.DispatchController | undefined
  let decoder: Transform | undefined
  /** Its head, until it is passed on. */
  let head: VendorAnswer | undefined
  let looking: NodeJS.Timeout | undefined
  let hasHead = false
  let hasBytes = false
  const arrived: Buffer[] = []
  let arrivedBytes = 0
  let whole = false
  let broken: Error | null = null
  /** Called whenever something has arrived, ended or broken. */
  let changed = () => {}
  const total = setTimeout(() => controller?.abort(new TimedOut()), totalMs)

  /** What is packed tightly must not unfold faster than it is read. */
  const hold = () => {
    controller?.pause()
    decoder?.pause()
  }
  const goOn = () => {
    decoder?.resume()
    if (controller?.paused) controller.resume()
  }
  const begin = () => {
    clearTimeout(looking)
    if (head) settle(head)
    head = undefined
  }
  const take = (chunk: Buffer) => {
    arrived.push(chunk)
    arrivedBytes += chunk.length
    if (arrivedBytes > AHEAD_BYTES) hold()
    if (head && arrivedBytes > (decoder ? AHEAD_BYTES : LOOK_BYTES)) begin()
    changed()
  }
  const end = () => {
    if (broken) return
    clearTimeout(total)
    whole = true
    begin()
    changed()
  }
  const fail = (error: Error) => {
    if (broken || whole) return
    clearTimeout(total)
    clearTimeout(looking)
    broken = error
    head = undefined
    settle(failureOf(error, hasHead))
    changed()
  }
  const stop = (error: Error) => {
    clearTimeout(total)
    clearTimeout(looking)
    controller?.abort(error)
    decoder?.destroy()
  }
  const abort = () => stop(new Aborted())
  const spoil = (detail: string) => {
    fail(new Unusable(detail))
    stop(new Unusable(detail))
  }

  const seen = () => ({ bytes: joined(arrived), whole: whole && !broken })
  const peek: VendorAnswer['peek'] = async (mostBytes, mostMs) => {
    const isEnough = () => whole || broken !== null || arrivedBytes >= mostBytes
    if (isEnough()) return seen()
    await new Promise<void>((enough) => {
      const timer = setTimeout(enough, mostMs)
      changed = () => {
        if (!isEnough()) return
        clearTimeout(timer)
        enough()
      }
    })
    changed = () => {}
    return seen()
  }

  const nextArrived = (): Buffer => {
    let [count, bytes] = [1, arrived[0]!.length]
    while (count < arrived.length && bytes + arrived[count]!.length <= PIECE_BYTES) bytes += arrived[count++]!.length
    arrivedBytes -= bytes
    return joined(arrived.splice(0, count))
  }

  let passedBytes = 0
  const brokenOf: VendorAnswer['broken'] = () => (broken && !passedBytes ? failureOf(broken, true) : undefined)
  const wholeOf: VendorAnswer['whole'] = () => (whole && !broken && arrivedBytes <= PIECE_BYTES ? joined(arrived.splice(0)) : undefined)

  const body: VendorAnswer['body'] = (scrubber, ended, unbegun) => {
    let over = false
    const finish = (error: Error | null) => {
      if (over) return
      over = true
      ended(error)
    }
    const stream = new Readable({
      highWaterMark: 64 << 10,
      read() {
        wanted = true
        flowSoon()
      },
      destroy(error, done) {
        if (!whole) abort()
        finish(error ?? (whole ? null : new Aborted()))
        done(error)
      },
    })
    let [wanted, soon] = [true, false]
    /** After what arrives in this turn: a server may send each byte by itself. */
    const flowSoon = () => {
      if (!soon) setImmediate(flow)
      soon = true
    }
    const flow = () => {
      soon = false
      if (stream.destroyed) return
      for (const until = performance.now() + TURN_MS; wanted && arrived.length && performance.now() < until; ) {
        const chunk = nextArrived()
        const clean = scrubber.push(chunk)
        passedBytes += clean.length
        if (clean.length) wanted = stream.push(clean)
      }
      if (broken) stream.destroy(passedBytes ? broken : (unbegun ?? broken))
      else if (whole && !arrived.length && !stream.readableEnded && !over) {
        const rest = scrubber.end()
        if (rest.length) stream.push(rest)
        stream.push(null)
        finish(null)
      } else {
        if (wanted && arrived.length) flowSoon()
        if (arrivedBytes < AHEAD_BYTES) goOn()
      }
    }
    changed = () => {
      if (wanted || broken) flowSoon()
    }
    stream.on('error', () => {}) // nobody may listen yet: `ended` hears of it
    return stream
  }

  return {
    onRequestStart: (started) => {
      controller = started
      if (hungUp?.aborted) abort()
      else hungUp?.addEventListener('abort', abort, { once: true })
    },
    onResponseStart(_, status, headers) {
      if (status >= 100 && status < 200) return
      hasHead = true
      if (status < 200 || status > 599) return spoil('The ad system answered with a status that HTTP does not have.')
      const encoding = String(headers['content-encoding'] ?? 'identity')
        .trim()
        .toLowerCase()
      const hasBody = status !== 204 && status !== 304
      if (encoding !== 'identity' && hasBody) {
        if (!decoders[encoding]) return spoil('The ad system answered in an encoding that cannot be read.')
        decoder = decoders[encoding]()
        decoder
          .on('data', take)
          .on('end', end)
          .on('error', ({ message }) => spoil(message))
          .on('drain', () => controller?.resume())
      }
      head = { status, headers: headers as VendorAnswer['headers'], peek, whole: wholeOf, broken: brokenOf, body, abort }
      // What has arrived meanwhile is looked at first, however late the timer is.
      if (hasBody) looking = setTimeout(() => setImmediate(begin), LOOK_MS)
      else begin()
    },
    onResponseData(_, chunk) {
      if (broken) return
      hasBytes = true
      if (!decoder) take(chunk)
      else if (!decoder.write(chunk)) controller?.pause()
    },
    // An empty body is whole, whatever it is said to be packed with.
    onResponseEnd: () => (decoder && hasBytes ? decoder.end() : end()),
    onResponseError: (_, error) => fail(error),
  }
}
