// What can happen to the service's own process.
import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ProofDatabase } from '../database.ts'
import { type FaultKind, type FaultReport, NotPlayed } from './kind.ts'
import type { FaultProxy } from './proxy.ts'
import { type ServiceUnderLoad, STARTED_MS, UNREACHED } from './service-under-load.ts'

/** A request that is younger may still be on its way to the service when the signal comes. */
const ARRIVED_MS = 50
/** Fewer than are open already: not one more can be opened. */
const DESCRIPTORS = 20

export function processKinds(database: ProofDatabase, proxy: FaultProxy): FaultKind[] {
  return [
    {
      name: 'SIGTERM under load',
      refusals: ['cut', 'unavailable', 'outcome_unknown'],
      withinMs: 15_000,
      cause: (subject, report) => terminate(subject, proxy, report),
    },
    {
      name: 'service killed',
      refusals: ['cut', 'unavailable', 'outcome_unknown'],
      withinMs: 15_000,
      cause: async ({ service }) => {
        service.kill('SIGKILL')
        await service.stop()
        service.start()
        await service.ready(STARTED_MS)
      },
    },
    {
      name: 'service frozen for 3 s',
      refusals: ['unavailable', 'outcome_unknown'],
      withinMs: 15_000,
      cause: async ({ service }) => {
        service.kill('SIGSTOP')
        await sleep(3000)
        service.kill('SIGCONT')
      },
    },
    {
      // New connections are cut: there is nothing left to answer them on. Those that are open are answered.
      name: 'out of file descriptors for 3 s, and the database hung up',
      refusals: ['cut', 'unavailable', 'outcome_unknown', 'provider_unavailable', UNREACHED],
      withinMs: 15_000,
      cause: (subject) => starve(subject, database),
    },
  ]
}

/** Everything that had arrived is answered, the process ends by itself and with 0. */
async function terminate({ service, probe, dependencies }: ServiceUnderLoad, proxy: FaultProxy, report: FaultReport): Promise<void> {
  proxy.delay(20)
  dependencies.twins.delay(400)
  await sleep(1500)
  const signalled = performance.now()
  const code = await service.stop()
  proxy.pass()
  dependencies.twins.pass()
  await probe.settled(signalled)
  const dropped = probe.answers.filter(({ began, ms, code }) => code === 'cut' && began < signalled - ARRIVED_MS && began + ms >= signalled)
  // Late: what had arrived is told by the clock, and a stop that takes too long is cut short.
  if (code !== 0) report.late(`it ended with ${code ?? 'a signal'}`)
  if (dropped.length) report.late(`${dropped.length} requests that had arrived were dropped (${dropped[0]!.action})`)
  service.start()
  await service.ready(STARTED_MS)
}

async function starve({ service }: ServiceUnderLoad, database: ProofDatabase): Promise<void> {
  const limit = (soft: string) => execFileSync('prlimit', ['--pid', String(service.pid()), `--nofile=${soft}:`], { stdio: 'pipe' })
  let before: string
  try {
    before = execFileSync('prlimit', ['--pid', String(service.pid()), '--nofile', '-o', 'SOFT', '--noheadings'], {
      encoding: 'utf8',
    }).trim()
    limit(String(DESCRIPTORS))
  } catch {
    throw new NotPlayed('prlimit is missing here')
  }
  await sleep(500)
  await database.operator(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'adjoin' and datname = 'adjoin'`)
  await sleep(2500)
  limit(before)
}
