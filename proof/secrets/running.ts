import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../furnishing/free-port.ts'

const PROCESS = fileURLToPath(new URL('process.ts', import.meta.url))

export interface RunningService {
  readonly url: string
  readonly pid: number
  readonly metrics: string
  /** All that came out of it, byte for byte. */
  output(): Buffer
  stop(): Promise<void>
}

export async function run(env: Record<string, string>): Promise<RunningService> {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const child = fork(PROCESS, {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      LOG_LEVEL: 'trace',
      LIMITS_FACTOR: '1000000',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const chunks: Buffer[] = []
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', () => reject(new Error(`the service did not start:\n${Buffer.concat(chunks).toString().slice(-2000)}`)))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid!,
    metrics: `http://127.0.0.1:${metricsPort}/metrics`,
    output: () => Buffer.concat(chunks),
    stop: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}
