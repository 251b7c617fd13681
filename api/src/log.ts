import { Writable } from 'node:stream'
import { maskEmail } from '@adjoin/contract'
import pino from 'pino'
import type { Environment } from './config.ts'

export type Log = pino.Logger

/** Never in a log line, wherever it hides in an object: the last line of defence, since nothing hands these to the log on purpose. */
const SECRET = [
  'token',
  'code',
  'key',
  'password',
  'secret',
  'authorization',
  'cookie',
  'sealed',
  'clientSecret',
  'refreshToken',
  'accessToken',
]
const paths = SECRET.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `*["x-api-key"]`, `*.*["set-cookie"]`])

export function createLog(level: string, environment: Environment): Log {
  const stdout = process.stdout
  // `npm start | head` must not end the service: a reader that has gone away is no reason to stop.
  stdout.on('error', () => {})
  const destination = environment === 'development' && stdout.isTTY ? readable(stdout) : pino.destination({ fd: 1, sync: false })
  if ('on' in destination) destination.on('error', () => {})
  return pino(logOptions(level), destination)
}

/** One JSON object a line, whatever anybody sent: control characters are escaped inside its strings. */
export const logOptions = (level: string): pino.LoggerOptions => ({
  level,
  base: undefined,
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ level: label }) },
  redact: { paths: [...new Set(paths)], censor: '[redacted]' },
  serializers: { err: errorLine },
})

/** Stack for us, without what a driver or a mail server put into its words: values of a violated constraint, people's addresses. */
function errorLine(error: unknown): object {
  if (!(error instanceof Error)) return { message: masked(String(error)) }
  const { code, constraint } = error as Error & { code?: string; constraint?: string }
  return {
    name: error.name,
    message: masked(error.message),
    ...(code && { state: code }), // not `code`, which is what a sign-in code would be called
    ...(constraint && { constraint }),
    stack: masked(error.stack ?? ''),
  }
}

const masked = (text: string) => text.replace(/[^\s<>"'`()[\]{},;:/@]+@[\w.-]+/g, maskEmail)

/** One short line per event on a terminal; JSON everywhere else. */
function readable(out: NodeJS.WritableStream): Writable {
  const color = (code: number, text: string) => `\u001b[${code}m${text}\u001b[0m`
  const colors: Record<string, number> = { warn: 33, error: 31, fatal: 31, debug: 90, trace: 90 }
  return new Writable({
    write(chunk, _, done) {
      const { level, time, msg, err, ...rest } = JSON.parse(String(chunk))
      const details = Object.entries(rest).map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
      const label = colors[level] ? ` ${color(colors[level], level)}` : ''
      out.write(
        `${color(90, String(time).slice(11, 23))}${label} ${msg ?? ''} ${color(90, details.join(' '))}${err ? `\n${err.stack ?? err.message}` : ''}\n`,
      )
      done()
    },
  })
}
