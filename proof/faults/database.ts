// What can happen to the database, or between the service and it.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { serverOf, stopServer } from '../../api/src/db/embedded-process.ts'
import type { ProofDatabase } from '../database.ts'
import { type FaultKind, NotPlayed } from './kind.ts'
import type { ChunkAction, FaultProxy } from './proxy.ts'

const UNAVAILABLE = ['unavailable', 'outcome_unknown']

/** `wire` stands between the service and its database. */
export function databaseKinds(database: ProofDatabase, proxy: FaultProxy): FaultKind[] {
  const folder = join(database.folder, 'postgres')
  const pid = () => serverOf(folder)?.pid ?? 0
  const back = async () => {
    while (!serverOf(folder)) await database.ensure().then(() => sleep(20))
    await database.ensure()
  }
  const kind = (name: string, withinMs: number, cause: FaultKind['cause'], refusals = UNAVAILABLE): FaultKind => ({
    name,
    withinMs,
    refusals,
    cause,
  })

  return [
    kind('database stopped for 2 s', 15_000, async () => {
      await stopServer(folder)
      await sleep(2000)
      await back()
    }),
    kind('database killed', 15_000, async () => {
      process.kill(pid(), 'SIGKILL')
      while (serverOf(folder)) await sleep(5)
      await back()
    }),
    kind('database restarted', 15_000, async () => {
      await stopServer(folder)
      await back()
    }),
    kind('database frozen for 7 s', 15_000, async () => {
      const frozen = family(pid())
      for (const one of frozen) process.kill(one, 'SIGSTOP')
      await sleep(7000)
      for (const one of frozen) process.kill(one, 'SIGCONT')
    }),
    kind('database slow: 100 ms each way', 15_000, async () => {
      proxy.delay(100)
      await sleep(3000)
      proxy.pass()
    }),
    kind('database very slow: 900 ms each way', 15_000, async () => {
      proxy.delay(900)
      await sleep(6000)
      proxy.pass()
    }),
    kind('database unreachable for 7 s: packets are lost', 15_000, async () => {
      proxy.silence()
      await sleep(7000)
      proxy.pass()
    }),
    kind('database refuses connections for 2 s', 15_000, async () => {
      await proxy.down()
      await sleep(2000)
      await proxy.up()
    }),
    kind('connections cut at commit, before and after it took effect', 15_000, async (_, report) => {
      const cuts = cutAtCommit()
      proxy.watch(cuts.rule)
      await sleep(2000)
      proxy.pass()
      if (cuts.made() < 2) report.late('no commit came by')
    }),
    kind('database out of connections for 3 s', 15_000, async () => {
      const thieves = await takeConnections(database)
      await sleep(3000)
      await Promise.all(thieves.map((thief) => thief.end().catch(() => {})))
    }),
    kind('database read-only for 2 s', 15_000, async () => {
      const say = async (word: string) => {
        await database.operator(`alter system set default_transaction_read_only = ${word}`)
        await database.operator('select pg_reload_conf()')
      }
      await say('on')
      await sleep(2000)
      await say('off')
    }),
  ]
}

/** A process and its children. */
export function family(pid: number): number[] {
  if (process.platform !== 'linux') throw new NotPlayed('the processes of the database are found by /proc')
  const parentOf = (child: number) => {
    try {
      return Number(/\) \w (\d+) /.exec(readFileSync(`/proc/${child}/stat`, 'utf8'))?.[1])
    } catch {
      return 0 // gone meanwhile
    }
  }
  const all = readdirSync('/proc').map(Number)
  return [pid, ...all.filter((one) => one > 0 && parentOf(one) === pid)]
}

/**
 * The driver sends `commit` as one simple query, alone.
 * Every third goes through, or nobody would ever get anywhere.
 */
function cutAtCommit(): { rule: (sent: Buffer) => ChunkAction; made(): number } {
  const commit = Buffer.from('Q\0\0\0\x0bcommit\0')
  let seen = 0
  const rulings: readonly ChunkAction[] = ['cut', 'pass and cut', 'pass']
  return { rule: (sent) => (sent.includes(commit) ? rulings[seen++ % 3]! : 'pass'), made: () => seen }
}

/** Somebody else takes every connection there is, those of the service included. */
async function takeConnections(database: ProofDatabase): Promise<pg.Client[]> {
  const thieves: pg.Client[] = []
  const steal = async () => {
    const thief = new pg.Client({ ...database.connection, application_name: 'thief' })
    thief.on('error', () => {})
    await thief.connect()
    thieves.push(thief)
  }
  const others = `select pid from pg_stat_activity where datname = current_database() and application_name <> 'thief'`
  await steal()
  for (;;) {
    const full = (await Promise.allSettled(Array.from({ length: 8 }, steal))).some(({ status }) => status === 'rejected')
    if (!full) continue
    const { rows } = await thieves[0]!.query(others)
    if (!rows.length) return thieves
    await thieves[0]!.query(`select pg_terminate_backend(pid) from (${others}) as o`)
  }
}
