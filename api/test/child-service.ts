// The service as its own process, started the way people start it: for signals, closed pipes and crashes.
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { freePort } from '../../furnishing/free-port.ts'
import { PATIENT_PROGRAM } from './patience.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

export interface ChildService {
  readonly url: string
  readonly process: ChildProcess
  readonly output: () => string
  readonly exited: Promise<number | null>
}

export async function startService(env: Record<string, string>): Promise<ChildService> {
  const port = await freePort()
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH, NODE_ENV: 'test', SANDBOX: 'false', ...PATIENT_PROGRAM, PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; ; tries++) {
    const answer = await fetch(`${url}/health/live`).catch(() => undefined)
    if (answer?.ok) return { url, process: child, output: () => output, exited }
    if (tries === 1200 || child.exitCode !== null) throw new Error(`the service did not start:\n${output}`)
    await sleep(100)
  }
}
