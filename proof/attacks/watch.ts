// Looks at every process of every replica, from the first attack to the last:
// how much memory it holds, and whether it is still the same one.
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Finding, Size } from '../finding.ts'
import type { Service } from '../service.ts'

const EVERY_MS = 100
const MOST_MEGABYTES = 512
/** The small size runs on busy machines: there this ends only a replica that would never answer. */
const GOOD_AGAIN_MS: Record<Size, number> = { small: 120_000, full: 5000 }

export interface Watch {
  /** During which attack what is seen is seen. */
  during(name: string): void
  /** Starts what died or hangs, so that the attacks after it find three replicas again. */
  revive(): Promise<void>
  findings(): Finding[]
  stop(): Promise<void>
}

export function startWatch(services: readonly Service[], size: Size): Watch {
  const goodAgainMs = GOOD_AGAIN_MS[size]
  let going = true
  let now = 'the start'
  let peak = { megabytes: 0, name: now }
  const deaths: string[] = []
  const known = services.map(({ pid }) => pid())
  const look = () => {
    for (const [i, service] of services.entries()) {
      const pid = service.pid()
      const family = [pid, ...childrenOf(pid)]
      const sizes = family.map(megabytes)
      if (sizes[0] === undefined && known[i] === pid) {
        deaths.push(`replica ${i} during ${now}`)
        known[i] = 0 // told once
      }
      const most = Math.max(0, ...sizes.map((size) => size ?? 0))
      if (most > peak.megabytes) peak = { megabytes: most, name: now }
    }
  }
  const looking = (async () => {
    for (; going; await sleep(EVERY_MS)) look()
  })()
  return {
    during: (name) => {
      now = name
    },
    async revive() {
      look()
      for (const [i, service] of services.entries()) {
        const answers = known[i] !== 0 && (await service.ready(goodAgainMs).catch(() => undefined))
        if (answers !== undefined && answers !== false) continue
        if (known[i] !== 0) deaths.push(`replica ${i} did not answer ${goodAgainMs / 1000} s after ${now}`)
        known[i] = 0
        await service.stop('SIGKILL')
        service.start()
        await service.ready()
        known[i] = service.pid()
      }
    },
    findings: () => [
      {
        tried: 'memory of each process, all the time',
        found: `${peak.megabytes} MB at the most, during ${peak.name}`,
        good: peak.megabytes <= MOST_MEGABYTES,
      },
      { tried: 'processes that died or hung', found: deaths.join(', ') || '0', good: !deaths.length },
    ],
    async stop() {
      going = false
      await looking
    },
  }
}

/** Undefined: there is no such process, or only its remains. */
function megabytes(pid: number): number | undefined {
  try {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024)
  } catch {
    return undefined
  }
}

function childrenOf(pid: number): number[] {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`)
    return tasks.flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number))
  } catch {
    return []
  }
}
