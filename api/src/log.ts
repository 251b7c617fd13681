import { Writable } from 'node:stream'
import pino from 'pino'
import type { Environment } from './config.ts'
import { type Context, loggedContext } from './context.ts'
import { createLogOutput } from './log-output.ts'
import { redact, redactText } from './redact.ts'

export type Log = pino.Logger

/** `name` tells the processes of one installation apart, where there are several. */
export const createLog = (level: string, environment: Environment, destination = standardOutput(environment), name?: string): Log =>
  pino({ ...logOptions(level), ...(name && { base: { process: name } }) }, destination)

/** Set on a line that was looked through already. Its own fields say what the context would. */
const CHECKED = Symbol('checked')
const NOTHING = {}

export interface RequestLine {
  readonly method: string
  /** The route's template, never the raw path: tokens travel in paths. */
  readonly route: string
  readonly status: number
  readonly ms: number
  /** What a trusted proxy says. */
  readonly ip: string
}

/** The one line that is written for every request. Most of its words are our own; the others are looked through here. */
export function logRequest(log: Log, level: 'info' | 'debug', context: Context | undefined, line: RequestLine): void {
  if (!log.isLevelEnabled(level)) return
  const { requestId, proxyRequestId, traceId, operation, tool, caller } = context ?? NO_CONTEXT
  const { method, route, status, ms, ip } = line
  const checked = {
    requestId,
    proxyRequestId: proxyRequestId && redactText(proxyRequestId),
    traceId,
    operation,
    tool,
    caller,
    method,
    route,
    status,
    ms: Math.round(ms * 10) / 10,
    ip: redactText(ip),
    [CHECKED]: true,
  }
  log[level](checked, 'request')
}
const NO_CONTEXT: Context = {}

/** One JSON object a line, whatever anybody sent: control characters are escaped inside its strings. */
export const logOptions = (level: string): pino.LoggerOptions => ({
  level,
  base: undefined,
  timestamp: isoTime(),
  mixin: (line) => (CHECKED in line ? NOTHING : loggedContext()),
  mixinMergeStrategy: (line, context) => (context === NOTHING ? line : Object.assign(context, line)),
  formatters: {
    level: (label) => ({ level: label }),
    log: (line) => (CHECKED in line ? line : (redact(line) as Record<string, unknown>)),
  },
  serializers: { err: (error) => error }, // `redact` has made a line of it
})

/** As pino's own, with the part that stays the same for a second made once in that second. */
function isoTime(): () => string {
  let second = 0
  let start = ''
  return () => {
    const now = Date.now()
    const ms = now % 1000
    if (now - ms !== second) {
      second = now - ms
      start = `,"time":"${new Date(second).toISOString().slice(0, 20)}`
    }
    return `${start}${ms < 10 ? '00' : ms < 100 ? '0' : ''}${ms}Z"`
  }
}

function standardOutput(environment: Environment): pino.DestinationStream {
  const { stdout } = process
  // `npm start | head` must not end the service: a reader that has gone away is no reason to stop.
  stdout.on('error', () => {})
  if (environment === 'development' && stdout.isTTY) return readable(stdout)
  return createLogOutput(1)
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
