// The service's clock differs from the database's, and jumps:
// time is the database's, so nothing may notice, save a token that another signed.
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CreateDatabase } from '../database.ts'
import type { Finding, Size } from '../finding.ts'
import { type FaultKind, playKind } from './kind.ts'
import { createServiceUnderLoad } from './service-under-load.ts'

/** Longer than anything lives: sessions, links, keys, tokens. */
const APART_MS = 400 * 24 * 3600 * 1000

export async function* clockFaults(empty: CreateDatabase, size: Size): AsyncGenerator<Finding> {
  const file = join(tmpdir(), `adjoin-proof-clock-${process.pid}`)
  writeFileSync(file, '0')
  const preload = new URL('./shifted-clock.ts', import.meta.url).href
  const subject = await createServiceUnderLoad({ ...(await empty('clock')), CLOCK_FILE: file, NODE_OPTIONS: `--import=${preload}` })
  const shift = (ms: number) => {
    writeFileSync(file, String(ms))
    subject.service.kill('SIGUSR2')
  }
  const kind = (name: string, apartMs: number): FaultKind => ({
    name,
    // An ID token has times of its own, which only this process's clock can judge:
    // seen from another year it is not to be trusted.
    refusals: ['identity_invalid'],
    withinMs: 15_000,
    cause: async () => {
      shift(apartMs)
      await sleep(3000)
      shift(0)
    },
  })
  try {
    yield await playKind(subject, kind('clock jumps 400 days ahead, and back', APART_MS), size)
    yield await playKind(subject, kind('clock jumps 400 days back, and ahead', -APART_MS), size)
  } finally {
    await subject.remove()
    rmSync(file, { force: true })
  }
}
