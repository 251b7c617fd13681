// Backups: written, restored, and checked.
import { parseArgs } from 'node:util'
import { connectDatabase } from '../db/connect.ts'
import type { Vault } from '../vault/seal.ts'
import { secretBinding } from '../vault/tokens.ts'
import { backup } from './backup.ts'
import type { Header } from './backup-file.ts'
import { canOpen, check, checkBackup } from './check.ts'
import { type AdminCommand, asUsage, onDatabase, only, say } from './command.ts'
import { openDatabase, openVault } from './database.ts'
import { printFindings } from './findings.ts'
import { progressBars } from './progress-bar.ts'
import { headerOf, restore } from './restore.ts'

const quiet = { info() {}, warn() {} }

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

const options = { encrypt: { type: 'string', multiple: true }, identity: { type: 'string' } } as const

const optionsOf = (args: readonly string[]) => asUsage(() => parseArgs({ args: [...args], options, allowPositionals: true }))

export const backupCommands: Record<string, AdminCommand> = {
  backup: {
    summary: 'Write the whole database, as of one moment, to a file; the key ring is not included',
    takes: 'FILE [--encrypt RECIPIENT]…',
    run: (config, args) => {
      const { values, positionals } = optionsOf(args)
      const name = only(positionals, 'FILE')
      return onDatabase(async ({ connection }) => {
        const { show, end } = progressBars()
        const counts = await backup(connection, name, show('rows'), values.encrypt)
        end()
        say(`${name}: ${rowsOf(counts)} rows from ${Object.keys(counts).length} tables`)
        if (values.encrypt) say('keep the age key too: without it, this file can’t be opened')
        say('keep the key ring too, in another place: without it, the credentials in this file can’t be opened')
        return 0
      })(config, args)
    },
  },
  restore: {
    summary: 'Restore a backup into an empty database, and check it there',
    takes: 'FILE [--identity KEYFILE]',
    run: async (config, args) => {
      const { values, positionals } = optionsOf(args)
      const name = only(positionals, 'FILE')
      const vault = openVault(config)
      refuseForeignRing(await headerOf(name, values.identity), vault)
      // Not `openDatabase`: here a data folder without a database is what is wanted.
      const { databaseUrl, dataDir, databasePrepare: prepare } = config
      const running = databaseUrl ? undefined : await openDatabase(config).catch(() => undefined)
      const { db, connection, close } = running ?? (await connectDatabase({ databaseUrl, dataDir, prepare, max: 4, log: quiet }))
      try {
        const { show, end } = progressBars()
        const counts = await restore(connection, name, show('rows'), values.identity)
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
    takes: '[FILE] [--identity KEYFILE]',
    run: async (config, args) => {
      const { show, end } = progressBars()
      const vault = openVault(config)
      const { values, positionals } = optionsOf(args)
      if (!args.length)
        return onDatabase(async ({ db }) => {
          const findings = await check(db, vault, show)
          end()
          return printFindings(findings)
        })(config, args)
      const name = only(positionals, 'FILE')
      const header = await headerOf(name, values.identity)
      refuseForeignRing(header, vault)
      const { counts, ...findings } = await checkBackup(name, vault, show, values.identity)
      end()
      say(
        `${name}: made ${header.createdAt}, schema ${header.schema.name}, ${rowsOf(counts)} rows from ${Object.keys(counts).length} tables, can be restored`,
      )
      return printFindings(findings)
    },
  },
}
