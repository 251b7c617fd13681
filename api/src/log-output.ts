// The file or pipe that log lines go to. It may be full or without a reader: that costs lines, which are counted,
// and never ends, delays or hangs the service.
import { write, writeSync } from 'node:fs'

export interface LogOutput {
  write(line: string): void
  /** Lines that were lost since the start. */
  dropped(): number
}

const outputs: LogOutput[] = []

/** Lines that this process has lost since its start. */
export const droppedLogLines = (): number => outputs.reduce((sum, { dropped }) => sum + dropped(), 0)

/**
 * Memory for lines that nobody reads, at most;
 * past it lines are dropped, since a log must not eat the service's memory.
 */
const MAX_WAITING_BYTES = 4 << 20
/** Lines are written together, so many bytes at once or after so long: a write of its own costs more than its line. */
const WRITTEN_BYTES = 8 << 10
const WRITTEN_AFTER_MS = 50
/** A pause before a pipe that is full, and set to say so, is tried again; at the end of the process only so often. */
const FULL_PIPE_MS = 20
const TRIES_AT_EXIT = 50

/** Lines begin with their level: warn, error and fatal. */
const URGENT = /^\{"level":"[wef]/
const isBusy = (error: NodeJS.ErrnoException) => error.code === 'EAGAIN' || error.code === 'EBUSY'

export function createLogOutput(fd: number): LogOutput {
  let waiting: string[] = []
  let waitingBytes = 0
  let isDue = false
  let isWriting = false
  let dropped = 0
  let untold = 0
  let isTorn = false

  const drop = (lines: number) => {
    dropped += lines
    untold += lines
  }
  const takeWaiting = (): Buffer => {
    // A line that was cut off when the disk was full ends before the next begins.
    const notice = untold ? `${isTorn ? '\n' : ''}${droppedLine(untold)}` : ''
    const lines = waiting.join('')
    waiting = []
    waitingBytes = 0
    return Buffer.from(notice + lines)
  }
  const writeRest = (rest: Buffer, lines: number, isBegun = false) =>
    write(fd, rest, (error, bytes) => {
      if (error && isBusy(error)) return void setTimeout(writeRest, FULL_PIPE_MS, rest, lines, isBegun).unref()
      if (!error && bytes < rest.length) return writeRest(rest.subarray(bytes), lines, true)
      isWriting = false
      isTorn = Boolean(error) && (isBegun || isTorn)
      if (error) drop(Math.min(lines, linesIn(rest)))
      else untold = 0
      if (waiting.length) flushSoon()
    })
  const flush = () => {
    if (isWriting || !waiting.length) return
    isWriting = true
    const lines = waiting.length
    writeRest(takeWaiting(), lines)
  }
  const flushSoon = () => {
    if (isDue) return
    isDue = true
    setTimeout(() => {
      isDue = false
      flush()
    }, WRITTEN_AFTER_MS).unref()
  }
  /** What is on its way when the process ends arrives with it; the rest is written here. */
  process.once('exit', () => {
    for (let rest = takeWaiting(), tries = 0; rest.length && tries < TRIES_AT_EXIT; ) {
      try {
        rest = rest.subarray(writeSync(fd, rest))
      } catch (error) {
        if (!isBusy(error as NodeJS.ErrnoException)) return
        tries++
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_MS)
      }
    }
  })

  const output: LogOutput = {
    write(line) {
      const bytes = Buffer.byteLength(line)
      if (waitingBytes + bytes > MAX_WAITING_BYTES) return drop(1)
      waiting.push(line)
      waitingBytes += bytes
      if (waitingBytes >= WRITTEN_BYTES || URGENT.test(line)) flush()
      else flushSoon()
    },
    dropped: () => dropped,
  }
  outputs.push(output)
  return output
}

const linesIn = (text: Buffer) => text.toString().split('\n').length - 1

const droppedLine = (dropped: number) =>
  `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), dropped, msg: 'log lines were dropped: their file or reader could not take them' })}\n`
