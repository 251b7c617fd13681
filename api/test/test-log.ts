import { Writable } from 'node:stream'
import pino from 'pino'
import { logOptions } from '../src/log.ts'

export interface TestLog {
  readonly log: pino.Logger
  readonly lines: string[]
}

/** Keeps what the service logs, so that a test can look for secrets and defects in it. */
export function createTestLog(): TestLog {
  const lines: string[] = []
  const sink = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk))
      done()
    },
  })
  return { log: pino(logOptions('debug'), sink), lines }
}
