import { Writable } from 'node:stream'
import pino from 'pino'
import type { Environment } from './config.ts'
import { loggedContext } from './context.ts'
import { redact } from './redact.ts'

export type Log = pino.Logger

/**
 * What waits for a reader that does not read, at most;
 * past it lines are dropped, since a log must not eat the service's memory.
 */
const MAX_WAITING_BYTES = 4 << 20

/** `name` tells the processes of one installation apart, where there are several. */
export const createLog = (level: string, environment: Environment, destination = standardOutput(environment), name?: string): Log =>
  pino({ ...logOptions(level), ...(name && { base: { process: name } }) }, destination)

/** One JSON object a line, whatever anybody sent: control characters are escaped inside its strings. */
export const logOptions = (level: string): pino.LoggerOptions => ({
  level,
  base: undefined,
  timestamp: pino.stdTimeFunctions.isoTime,
  mixin: () => loggedContext(),
  formatters: { level: (label) => ({ level: label }), log: (line) => redact(line) as Record<string, unknown> },
  serializers: { err: (error) => error }, // `redact` has made a line of it
})

function standardOutput(environment: Environment): pino.DestinationStream {
  const { stdout } = process
  // `npm start | head` must not end the service: a reader that has gone away is no reason to stop.
  stdout.on('error', () => {})
  if (environment === 'development' && stdout.isTTY) return readable(stdout)
  const destination = pino.destination({ fd: 1, sync: false, maxLength: MAX_WAITING_BYTES })
  destination.on('error', () => {})
  return destination
}

/** One short line per event on a terminal; JSON everywhere else. */
export function readable(out: NodeJS.WritableStream): Writable {
  const color = (code: number, text: string) => `\u001b[${code}m${text}\u001b[0m`
  const colors: Record<string, number> = { warn: 33, error: 31, fatal: 31, debug: 90, trace: 90 }
  // What came from outside must not move the cursor.
  const plain = (value: unknown) => (typeof value === 'string' && !/\p{Cc}/u.test(value) ? value : JSON.stringify(value))
  return new Writable({
    write(chunk, _, done) {
      const { level, time, msg, err, ...rest } = JSON.parse(String(chunk))
      const details = Object.entries(rest).map(([name, value]) => `${name}=${plain(value)}`)
      const label = colors[level] ? ` ${color(colors[level], level)}` : ''
      const stack = err ? `\n${String(err.stack ?? err.message).replace(/[^\P{Cc}\n]/gu, ' ')}` : ''
      out.write(`${color(90, String(time).slice(11, 23))}${label} ${msg ?? ''} ${color(90, details.join(' '))}${stack}\n`)
      done()
    },
  })
}
