// An ad system's answer while it arrives:
// looked into at its beginning, then passed on with back-pressure, without its secrets.
import { Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { HangUp } from '@adjoin/contract'
import type { Dispatcher } from 'undici'
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
  /** The rest of its life: bytes without secrets, no faster than they are read. Ending it ends the call. */
  body(scrubber: Scrubber, ended: (error: Error | null) => void): Readable
  abort(): void
}

/** Why there is none. */
export type ForwardFailure = { readonly failure: 'unreachable' | 'timeout' | 'unusable'; readonly detail: string }

const decoders: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** What is read ahead of whoever reads it. */
const AHEAD_BYTES = 256 << 10

class Aborted extends Error {}

/** A short answer is one chunk most of the time: it is not copied. */
const joined = (chunks: readonly Buffer[]): Buffer => (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks))

export function createVendorAnswer(
  totalMs: number,
  settle: (answer: VendorAnswer | ForwardFailure) => void,
  hungUp?: HangUp,
): Dispatcher.DispatchHandler {
  let controller: Dispatcher.DispatchController | undefined
  let decoder: Transform | undefined
  let began = false
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
  const take = (chunk: Buffer) => {
    arrived.push(chunk)
    arrivedBytes += chunk.length
    if (arrivedBytes > AHEAD_BYTES) hold()
    changed()
  }
  const end = () => {
    clearTimeout(total)
    whole = true
    changed()
  }
  const fail = (error: Error) => {
    clearTimeout(total)
    broken = error
    if (!began) settle(failureOf(error))
    changed()
  }
  const abort = () => {
    clearTimeout(total)
    controller?.abort(new Aborted())
    decoder?.destroy()
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

  const wholeOf: VendorAnswer['whole'] = () => (whole && !broken ? joined(arrived.splice(0)) : undefined)

  const body: VendorAnswer['body'] = (scrubber, ended) => {
    let over = false
    const finish = (error: Error | null) => {
      if (over) return
      over = true
      ended(error)
    }
    const stream = new Readable({
      highWaterMark: 64 << 10,
      read: () => flow(),
      destroy(error, done) {
        if (!whole) abort()
        finish(error ?? (whole ? null : new Aborted()))
        done(error)
      },
    })
    let flowing = true
    const flow = () => {
      flowing = true
      while (flowing && arrived.length) {
        const chunk = arrived.shift()!
        arrivedBytes -= chunk.length
        const clean = scrubber.push(chunk)
        if (clean.length) flowing = stream.push(clean)
      }
      if (broken) stream.destroy(broken)
      else if (whole && !arrived.length && !stream.readableEnded && !over) {
        const rest = scrubber.end()
        if (rest.length) stream.push(rest)
        stream.push(null)
        finish(null)
      } else if (arrivedBytes < AHEAD_BYTES) goOn()
    }
    changed = () => {
      if (flowing || broken) flow()
    }
    return stream
  }

  return {
    onRequestStart: (started) => {
      controller = started
      if (hungUp?.aborted) abort()
      else hungUp?.addEventListener('abort', abort, { once: true })
    },
    onResponseStart(_, status, headers) {
      if (status < 200) return
      began = true
      const encoding = String(headers['content-encoding'] ?? 'identity')
        .trim()
        .toLowerCase()
      if (encoding !== 'identity' && !decoders[encoding]) {
        settle({ failure: 'unusable', detail: 'The ad system answered in an encoding that cannot be read.' })
        return abort()
      }
      if (encoding !== 'identity') {
        decoder = decoders[encoding]!()
        decoder
          .on('data', take)
          .on('end', end)
          .on('error', fail)
          .on('drain', () => controller?.resume())
      }
      settle({ status, headers: headers as VendorAnswer['headers'], peek, whole: wholeOf, body, abort })
    },
    onResponseData(_, chunk) {
      if (!decoder) take(chunk)
      else if (!decoder.write(chunk)) controller?.pause()
    },
    onResponseEnd: () => (decoder ? decoder.end() : end()),
    onResponseError: (_, error) => fail(error),
  }
}

class TimedOut extends Error {
  readonly code = 'ADJOIN_TOTAL_TIMEOUT'
}

function failureOf(error: Error): ForwardFailure {
  const { code = '' } = error as NodeJS.ErrnoException
  if (/TIMEOUT/.test(code) && code !== 'UND_ERR_CONNECT_TIMEOUT') return { failure: 'timeout', detail: code }
  return { failure: 'unreachable', detail: code || 'network error' }
}

/** Did the ad system break off, or did the caller hang up? */
export const isHangUp = (error: Error | null): boolean => error instanceof Aborted
