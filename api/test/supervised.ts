// The service with its supervisor, as `npm start` starts it: the processes below it, and what they say.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../furnishing/free-port.ts'
import { PATIENT_PROGRAM } from './patience.ts'
import { ROOT } from './production-tree.ts'
import { request } from './world.ts'

const [program, script] = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  .scripts.start.split('exec env ')[1]
  .split(' ')
if (program !== 'node') throw new Error('npm start does not start Node')

export interface Supervised {
  readonly url: string
  readonly supervisor: ChildProcess
  /** The status of `/health`, undefined while nobody answers. */
  answers(): Promise<number | undefined>
  /** What its supervisor ended with, when all of its processes have ended too. */
  readonly ended: Promise<number | null>
  output(): string
  /** Whatever is left of it. */
  kill(): Promise<void>
}

/** `log`: the file that its output goes to instead of being read here. */
export async function startSupervised(env: Record<string, string>, log?: string): Promise<Supervised> {
  const port = await freePort()
  const out = log === undefined ? 'pipe' : openSync(log, 'a')
  const supervisor = spawn(process.execPath, [script], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, NODE_ENV: 'test', SANDBOX: 'false', ...PATIENT_PROGRAM, PORT: String(port), ...env },
    stdio: ['ignore', out, out],
  })
  if (typeof out === 'number') closeSync(out)
  let output = ''
  for (const stream of [supervisor.stdout, supervisor.stderr]) stream?.on('data', (chunk) => (output += chunk))
  const ended = once(supervisor, 'close').then(() => supervisor.exitCode) // its output ends with that of its processes
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    supervisor,
    ended,
    answers: async () => (await request(`${url}/health`).catch(() => undefined))?.status,
    output: () => output,
    async kill() {
      supervisor.kill('SIGKILL')
      await ended
    },
  }
}

/** Of its processes; Linux knows them. */
export const childrenOf = ({ pid }: ChildProcess): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

export const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** A process that gets this signal is busy for ever: its event loop stands still. */
export const HANGS_ON_SIGUSR2 = {
  NODE_OPTIONS: `${PATIENT_PROGRAM.NODE_OPTIONS} --import=data:text/javascript,process.on('SIGUSR2',()=>{for(;;);})`,
}
