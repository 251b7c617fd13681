// What a bench stands on: one PostgreSQL, services and bare servers
// beside it in processes of their own, all of them ended with it.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startApp } from '../api/src/app.ts'
import { readConfig } from '../api/src/config.ts'
import { newSealKey } from '../api/src/vault/key-ring.ts'
import { createDatabase, type ProofDatabase } from '../proof/database.ts'
import { createService } from '../proof/service.ts'

const SUPERVISE = fileURLToPath(new URL('../api/src/supervise.mjs', import.meta.url))

export interface RunningServer {
  readonly url: string
  readonly pids: readonly number[]
}

export interface Bench {
  readonly database: ProofDatabase
  /** What every service of this bench is started with. */
  readonly env: Readonly<Record<string, string>>
  /**
   * Brings the schema and whatever `work` does through a service that
   * is gone before anything is measured; jobs (mails) run there alone.
   */
  prepare<T>(work: (service: PreparedService) => Promise<T>): Promise<T>
  /**
   * Adjoin as an operator starts it, answering. It serves the API only:
   * a sweep in the middle of a slice is nobody's figure.
   */
  adjoin(env?: Record<string, string>): Promise<RunningServer>
  /** The same with so many processes on one port. */
  workers(count: number, env?: Record<string, string>): Promise<RunningServer>
  /**
   * A file of this folder as a process; it is given `input` as its first
   * message and answers with its URL, and what else is to be known.
   */
  beside<T extends object>(file: string, input: unknown): Promise<RunningServer & T>
  remove(): Promise<void>
}

export interface PreparedService {
  readonly url: string
  /** The texts of the statements that `work` made the service send, in their order. */
  statements(work: () => Promise<unknown>): Promise<string[]>
}

/** An integration is made only for an ad system that is set up. Nothing is sent there. */
const APP = {
  ADJOIN_GOOGLE_ADS_CLIENT_ID: 'bench',
  ADJOIN_GOOGLE_ADS_CLIENT_SECRET: 'bench',
  ADJOIN_GOOGLE_ADS_DEVELOPER_TOKEN: 'bench',
}

export async function createBench(settings: Record<string, string> = {}): Promise<Bench> {
  const database = await createDatabase(settings)
  const env = {
    DATABASE_URL: database.url(),
    SEAL_KEYS: newSealKey('bench'),
    LOG_LEVEL: 'warn',
    LIMITS_FACTOR: '1000000',
    SANDBOX: 'false',
  }
  const endings: (() => Promise<unknown>)[] = []
  const remove = async () => {
    await Promise.all(endings.splice(0).map((end) => end()))
    await database.remove()
  }

  return {
    database,
    env,
    async prepare(work) {
      let sent: string[] = []
      const app = await startApp(readConfig({ ...env, ...APP, PORT: '0' }), { onStatement: (text) => sent.push(text) })
      // Jobs and last uses write beside the request: its own are those that two runs in a row agree on.
      const statements = async (asked: () => Promise<unknown>) => {
        for (let before: string[] = []; ; before = sent) {
          sent = []
          await asked()
          if (sent.length && sent.join() === before.join()) return sent
        }
      }
      try {
        return await work({ url: app.url, statements })
      } finally {
        await app.stop()
      }
    },
    async adjoin(more = {}) {
      const service = await createService({ ...env, ...APP, ROLES: 'api', ...more })
      endings.push(() => service.remove())
      service.start()
      await service.ready()
      return { url: service.url, pids: [service.pid()] }
    },
    async workers(count, more = {}) {
      const service = await createService({ ...env, ROLES: 'api', WORKERS: String(count), ...more }, SUPERVISE)
      endings.push(() => service.remove())
      service.start()
      await service.ready()
      while (!service.output().includes(`${count} for the API`)) await sleep(50) // said when all of them are ready
      const children = readFileSync(`/proc/${service.pid()}/task/${service.pid()}/children`, 'utf8').trim().split(' ')
      return { url: service.url, pids: [service.pid(), ...children.map(Number)] }
    },
    async beside<T extends object>(file: string, input: unknown) {
      const child = fork(fileURLToPath(new URL(file, import.meta.url)))
      const ended = once(child, 'exit')
      endings.push(() => {
        if (child.connected) child.disconnect()
        return ended
      })
      child.send(input as object)
      const answer = await Promise.race([once(child, 'message'), ended.then(() => undefined)])
      if (!answer) throw new Error(`${file} ended before it listened`)
      const said = answer[0] as string | ({ url: string } & T)
      return { ...((typeof said === 'string' ? { url: said } : said) as { url: string } & T), pids: [child.pid!] }
    },
    remove,
  }
}
