// One process of a cluster with all that belongs to it: started, killed, frozen, woken, started again.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProcessAccount } from '../../api/src/db/embedded-process.ts'
import { family } from '../faults/database.ts'

export interface ClusterMemberSpec {
  readonly name: string
  readonly command: readonly string[]
  readonly env: Record<string, string>
  /** Where it runs, and keeps its log. */
  readonly folder: string
  readonly account: ProcessAccount
  /** Roots of other families that die and freeze with it. */
  readonly others?: () => number[]
}

export interface ClusterMember {
  readonly name: string
  start(): void
  /** To all its processes, itself first: nobody is left to notice. */
  signal(signal: NodeJS.Signals): void
  /** Killed with everything it has started. */
  kill(): Promise<void>
  /** The end of what it said. */
  lastWords(): string
}

export function createMember({ name, command, env, folder, account, others = () => [] }: ClusterMemberSpec): ClusterMember {
  const log = join(folder, `${name}.log`)
  let child: ChildProcess | undefined
  const lives = () => child !== undefined && child.exitCode === null && child.signalCode === null
  const signal = (sent: NodeJS.Signals) => {
    for (const root of [...(lives() ? [child!.pid!] : []), ...others()])
      for (const pid of family(root)) {
        try {
          process.kill(pid, sent)
        } catch {} // gone meanwhile
      }
  }
  return {
    name,
    start: () => {
      const [program, ...args] = command
      const output = openSync(log, 'a')
      const path = { PATH: process.env['PATH']!, ...env }
      child = spawn(program!, args, { cwd: folder, env: path, ...account, stdio: ['ignore', output, output] })
      closeSync(output)
    },
    signal,
    kill: async () => {
      const end = lives() ? once(child!, 'exit') : undefined
      signal('SIGKILL')
      await end
    },
    lastWords: () => readFileSync(log, 'utf8').slice(-1500),
  }
}
