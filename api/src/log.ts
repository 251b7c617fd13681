import { Writable } from 'node:stream'
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
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: [...new Set(paths)], censor: '[redacted]' },
      serializers: { err: errorLine },
    },
    destination,
  )
}

/** Stack for us, message without what a driver may have put into it (values of a violated constraint, say). */
function errorLine(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const { code, constraint } = error as Error & { code?: string; constraint?: string }
  return { name: error.name, message: error.message, ...(code && { code }), ...(constraint && { constraint }), stack: error.stack }
}

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
