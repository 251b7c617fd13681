import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { connectDatabase } from '../db/connect.ts'
import { migrate } from '../db/migrate.ts'
import { keyCounts, missingKeys } from '../features/infra/sealed-columns.ts'
import { createJobs } from '../jobs/queue.ts'
import type { Vault } from '../vault/seal.ts'
import { secretBinding } from '../vault/tokens.ts'
import { backup } from './backup.ts'
import type { Header } from './backup-file.ts'
import { canOpen, check, checkBackup, type Findings } from './check.ts'
import { type OpenedDatabase, openDatabase, openVault } from './database.ts'
import { examine } from './doctor.ts'
import { createFirstAdmin } from './first-admin.ts'
import { progressBars } from './progress-bar.ts'
import { headerOf, restore } from './restore.ts'
import { runReseal } from './run-reseal.ts'
import { thawOrganization } from './thaw.ts'
import { verifyAudit } from './verify-audit.ts'

export interface AdminCommand {
  readonly summary: string
  /** What it takes, behind its name. */
  readonly takes?: string
  /** The exit code. */
  run(config: Config, args: readonly string[]): Promise<number>
}

/** Called in a way that it does not understand. */
export class UsageError extends Error {}

const onDatabase =
  (work: (opened: OpenedDatabase, config: Config, args: readonly string[]) => Promise<number>) =>
  async (config: Config, args: readonly string[]): Promise<number> => {
    const opened = await openDatabase(config)
    try {
      return await work(opened, config, args)
    } finally {
      await opened.close()
    }
  }

const say = (text: string) => process.stdout.write(`${text}\n`)

function only([name, ...rest]: readonly string[], what: 'FILE' | 'ORG'): string {
  if (!name || rest.length) throw new UsageError(`exactly one ${what} is required`)
  return name
}

const ofChains = (chains: number, entries: number, bad: number) =>
  `${entries} audit ${entries === 1 ? 'entry' : 'entries'} in ${chains} ${chains === 1 ? 'chain' : 'chains'}, ${bad ? `${bad} broken` : 'all intact'}`

function printFindings({ chains, entries, bad, sealed, unreadable }: Findings): number {
  for (const { organization, message } of bad) say(`BROKEN  ${organization}: ${message}`)
  for (const { column, id } of unreadable) say(`SEALED  ${column} of ${id} can’t be opened with this key ring`)
  say(ofChains(chains, entries, bad.length))
  say(
    `${sealed} sealed values, ${unreadable.length ? `${unreadable.length} can’t be opened: set SEAL_KEYS to the key ring that sealed them` : 'all can be opened'}`,
  )
  return bad.length || unreadable.length ? 1 : 0
}

const rowsOf = (counts: Record<string, number>) => Object.values(counts).reduce((sum, n) => sum + n, 0)

/** Found out before anything is written, not when the first credential does not open. */
function refuseForeignRing({ keyIds, secrets }: Header, vault: Vault): void {
  const missing = keyIds.filter((id) => !vault.keyIds.includes(id))
  const foreign = missing.length
    ? undefined
    : Object.entries(secrets).find(([name, sealed]) => !canOpen(vault, sealed, secretBinding(name)))
  const why = missing.length ? `is missing ${missing.join(', ')}` : foreign && 'has keys with the same ids, but they are different keys'
  if (why) throw new Error(`the key ring ${why}. Set SEAL_KEYS to the ring that belongs to this backup. Nothing was changed.`)
}

export const commands: Record<string, AdminCommand> = {
  doctor: {
    summary: 'Check everything the service depends on: what is wrong, and how to fix it',
    run: async (config) => {
      let failed = false
      for await (const { what, state, says, fix } of examine(config)) {
        failed ||= state === 'wrong'
        say(`${{ good: 'ok   ', note: 'note ', wrong: 'WRONG' }[state]}  ${what.padEnd(14)}  ${says}`)
        if (fix) say(`${' '.repeat(23)}${fix}`)
      }
      return failed ? 1 : 0
    },
  },
  'first-admin': {
    summary: 'Create an organization and its first admin, who then signs in by email',
    takes: 'EMAIL --organization NAME --slug SLUG [--name NAME]',
    run: async (config, args) => {
      const { values, positionals } = parsed(args)
      const [email, ...rest] = positionals
      if (!email || rest.length || !values.organization || !values.slug)
        throw new UsageError('EMAIL, --organization and --slug are required')
      const { organization, slug, name } = values
      return onDatabase(async ({ db }) => {
        const jobs = createJobs(openVault(config))
        const made = await createFirstAdmin({ db, jobs }, { email, organization, slug, name })
        say(`${made.email} is now the admin of ${made.slug} and can sign in at ${config.publicUrl}/signin`)
        say(
          made.domain
            ? `people with an @${made.domain} address join as members when they sign in`
            : 'nobody joins automatically; invite people instead',
        )
        return 0
      })(config, args)
    },
  },
  thaw: {
    summary: 'Unfreeze an organization whose admins can’t; recorded in its audit trail and emailed to them',
    takes: 'ORG',
    run: async (config, args) => {
      const slug = only(args, 'ORG')
      return onDatabase(async ({ db }) => {
        const { wasFrozen } = await thawOrganization({ db, jobs: createJobs(openVault(config)), config }, slug)
        say(wasFrozen ? `${slug} is no longer frozen: calls, checks and renewals work again` : `${slug} is not frozen; nothing was changed`)
        return 0
      })(config, args)
    },
  },
  migrate: {
    summary: 'Bring the database schema up to date',
    run: onDatabase(async ({ connection }) => {
      const { applied } = await migrate(connection)
      say(applied.length ? `applied: ${applied.join(', ')}` : 'the schema is up to date')
      return 0
    }),
  },
  keys: {
    summary: 'Show how much each key seals; fails if a key in use is missing',
    run: onDatabase(async ({ db }, config) => {
      const ring = openVault(config).keyIds
      for (const { column, key, count } of await keyCounts(db))
        say(`${column.padEnd(28)} ${key.padEnd(16)} ${String(count).padStart(8)}${ring.includes(key) ? '' : '   NOT IN THE RING'}`)
      return (await missingKeys(db, ring)).length ? 1 : 0
    }),
  },
  reseal: {
    summary: 'Reseal everything with the first key; can be interrupted and resumed, also while the service runs',
    takes: '[--anyway]',
    run: onDatabase(({ db }, config, args) => runReseal(db, openVault(config), args.includes('--anyway'), say)),
  },
  'verify-audit': {
    summary: 'Verify every organization’s audit chain and show the first bad entry of each',
    run: onDatabase(async ({ db }) => {
      const { show, end } = progressBars()
      const { chains, entries, bad } = await verifyAudit(db, show('audit entries'))
      end()
      for (const { organization, message } of bad) say(`BROKEN  ${organization}: ${message}`)
      say(ofChains(chains, entries, bad.length))
      return bad.length ? 1 : 0
    }),
  },
  backup: {
    summary: 'Write the whole database, as of one moment, to a file; the key ring is not included',
    takes: 'FILE',
    run: (config, args) => {
      const name = only(args, 'FILE')
      return onDatabase(async ({ connection }) => {
        const { show, end } = progressBars()
        const counts = await backup(connection, name, show('rows'))
        end()
        say(`${name}: ${rowsOf(counts)} rows from ${Object.keys(counts).length} tables`)
        say('keep the key ring too, in another place: without it, the credentials in this file can’t be opened')
        return 0
      })(config, args)
    },
  },
  restore: {
    summary: 'Restore a backup into an empty database, and check it there',
    takes: 'FILE',
    run: async (config, args) => {
      const name = only(args, 'FILE')
      const vault = openVault(config)
      refuseForeignRing(await headerOf(name), vault)
      // Not `openDatabase`: here a data folder without a database is what is wanted.
      const { databaseUrl, dataDir, databasePrepare: prepare } = config
      const running = databaseUrl ? undefined : await openDatabase(config).catch(() => undefined)
      const { db, connection, close } = running ?? (await connectDatabase({ databaseUrl, dataDir, prepare, max: 4, log: quiet }))
      try {
        const { show, end } = progressBars()
        const counts = await restore(connection, name, show('rows'))
        const findings = await check(db, vault, show)
        end()
        say(`${rowsOf(counts)} rows from ${Object.keys(counts).length} tables restored`)
        return printFindings(findings)
      } finally {
        await close()
      }
    },
  },
  check: {
    summary: 'Check a backup by restoring it into a temporary database; without FILE, check the database itself',
    takes: '[FILE]',
    run: async (config, args) => {
      const { show, end } = progressBars()
      const vault = openVault(config)
      if (!args.length)
        return onDatabase(async ({ db }) => {
          const findings = await check(db, vault, show)
          end()
          return printFindings(findings)
        })(config, args)
      const name = only(args, 'FILE')
      const header = await headerOf(name)
      refuseForeignRing(header, vault)
      const { counts, ...findings } = await checkBackup(name, vault, show)
      end()
      say(
        `${name}: made ${header.createdAt}, schema ${header.schema.name}, ${rowsOf(counts)} rows from ${Object.keys(counts).length} tables, can be restored`,
      )
      return printFindings(findings)
    },
  },
}

const quiet = { info() {}, warn() {} }

function parsed(args: readonly string[]) {
  try {
    const text = { type: 'string' } as const
    return parseArgs({ args: [...args], options: { organization: text, slug: text, name: text }, allowPositionals: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
