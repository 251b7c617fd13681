// Faults of the service and of everyone around it, under a steady mixed load.
// No request hangs over 15 s, every refusal is a problem document,
// nothing that was acknowledged is lost, and all is well again without anybody's help.
import { newSealKey } from '../../api/src/vault/key-ring.ts'
import { verifyExport } from '../chain.ts'
import { type CreateDatabase, createDatabase, type ProofDatabase } from '../database.ts'
import type { Finding, Size } from '../finding.ts'
import { clockFaults } from './clock.ts'
import { databaseKinds } from './database.ts'
import { diskFaults } from './disk.ts'
import { identityKinds } from './identity.ts'
import { jobsFaults } from './jobs.ts'
import { type FaultKind, playKind } from './kind.ts'
import { mailKinds } from './mail.ts'
import { processKinds } from './process.ts'
import { providerKinds } from './provider.ts'
import { createProxy, type FaultProxy } from './proxy.ts'
import { raceFaults } from './race.ts'
import { createServiceUnderLoad } from './service-under-load.ts'

/**
 * Most of a fault is waiting: what cannot disturb each other
 * is tried side by side, each with a database of its own.
 */
export async function* faults(size: Size): AsyncGenerator<Finding> {
  const chains = [ours(size), theirs(size), onEmpty((empty) => jobsFaults(empty, size))]
  let [tried, missed] = [0, 0]
  for await (const finding of sideBySide(chains)) {
    if (!finding.totals) finding.found.startsWith('not run') ? missed++ : tried++
    yield finding
  }
  yield { tried: 'kinds of fault', found: `${tried} kinds tried, ${missed} not run` }
}

/** A finding about all kinds of a chain together is not a kind. */
type Told = Finding & { totals?: true }

async function* ours(size: Size): AsyncGenerator<Told> {
  yield* underLoad('database and process', (database, proxy) => [...databaseKinds(database, proxy), ...processKinds(database, proxy)], size)
  yield* diskFaults(size)
}

async function* theirs(size: Size): AsyncGenerator<Told> {
  yield* onEmpty((empty) => raceFaults(empty, size))
  yield* onEmpty((empty) => clockFaults(empty, size))
  yield* underLoad('dependencies', () => [...mailKinds(), ...providerKinds(), ...identityKinds()], size, NO_DISK)
}

/** Where no process of the database is killed, its patience with the disk is not what is tried. */
const NO_DISK = { fsync: 'off' }

async function* underLoad(
  name: string,
  kinds: (database: ProofDatabase, proxy: FaultProxy) => FaultKind[],
  size: Size,
  settings: Record<string, string> = {},
): AsyncGenerator<Told> {
  const database = await createDatabase({ max_connections: '40', ...settings })
  const proxy = await createProxy(database.connection.port)
  try {
    const subject = await createServiceUnderLoad({ DATABASE_URL: database.url(proxy.port), SEAL_KEYS: newSealKey('proof') })
    try {
      for (const kind of kinds(database, proxy)) yield await playKind(subject, kind, size)
      const complaints = await subject.leave()
      const { verdict } = await verifyExport(subject.service.url, subject.token, subject.slug)
      if (!verdict.good) complaints.push(`the audit trail is ${verdict.text}`)
      yield {
        totals: true,
        tried: `${subject.ledger.acknowledged.size} writes and ${subject.ledger.sessions.length} sign-ins through all faults of ${name}`,
        found: complaints.join('; ') || 'none lost, none made twice, no mail missing, every integration verified, audit chain intact',
        good: complaints.length === 0,
      }
    } finally {
      await subject.remove()
    }
  } finally {
    await proxy.close()
    await database.remove()
  }
}

async function* onEmpty(tryAll: (empty: CreateDatabase) => AsyncGenerator<Finding>): AsyncGenerator<Told> {
  const database = await createDatabase(NO_DISK)
  try {
    yield* tryAll(async (name) => {
      await database.operator(`create database ${name}`)
      return { DATABASE_URL: database.url().replace(/adjoin$/, name), SEAL_KEYS: newSealKey('proof') }
    })
  } finally {
    await database.remove()
  }
}

/** Whatever comes first, until all have ended. One that fails ends the others: nothing is left behind. */
async function* sideBySide<T>(chains: AsyncGenerator<T>[]): AsyncGenerator<T> {
  const next = (chain: AsyncGenerator<T>) => chain.next().then((result) => ({ chain, result }))
  const waiting = new Map(chains.map((chain) => [chain, next(chain)]))
  try {
    while (waiting.size) {
      const { chain, result } = await Promise.race(waiting.values())
      if (result.done) waiting.delete(chain)
      else {
        waiting.set(chain, next(chain))
        yield result.value
      }
    }
  } finally {
    await Promise.allSettled(chains.map((chain) => chain.return(undefined)))
  }
}
