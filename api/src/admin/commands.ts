import { parseArgs } from 'node:util'
import { migrate } from '../db/migrate.ts'
import { keyCounts, missingKeys } from '../features/infra/sealed-columns.ts'
import { createJobs } from '../jobs/queue.ts'
import { backupCommands } from './backup-commands.ts'
import { type AdminCommand, asUsage, onDatabase, only, say, UsageError } from './command.ts'
import { compareCheckpoints, readCheckpoints } from './compare-checkpoints.ts'
import { openVault, ownPublicKey } from './database.ts'
import { distributeCommand } from './distribute.ts'
import { examine } from './doctor.ts'
import { ofChains, ofCheckpoints } from './findings.ts'
import { createFirstAdmin } from './first-admin.ts'
import { progressBars } from './progress-bar.ts'
import { runReseal } from './run-reseal.ts'
import { thawOrganization } from './thaw.ts'
import { verifyAudit } from './verify-audit.ts'

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
      const { applied, newer } = await migrate(connection)
      say(applied.length ? `applied: ${applied.join(', ')}` : 'the schema is up to date')
      if (newer.length) say(`A newer version has also applied ${newer.join(', ')}. This version works with them.`)
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
    summary: 'Verify every organization’s audit chain, also against checkpoints kept elsewhere (- reads standard input)',
    takes: '[--checkpoints FILE] [--public-key KEY]',
    run: onDatabase(async ({ db }, config, args) => {
      const { checkpoints: file, 'public-key': key } = verifyOptions(args)
      const { show, end } = progressBars()
      const { chains, entries, bad } = await verifyAudit(db, show('audit entries'))
      end()
      const kept =
        file === undefined
          ? undefined
          : await compareCheckpoints(db, readCheckpoints(file), key ?? (await ownPublicKey(db, openVault(config))))
      const all = [...bad, ...(kept?.bad ?? [])]
      for (const { organization, message } of all) say(`BROKEN  ${organization}: ${message}`)
      say(ofChains(chains, entries, bad.length))
      if (kept) say(ofCheckpoints(kept))
      return all.length ? 1 : 0
    }),
  },
  distribute: distributeCommand,
  ...backupCommands,
}

const text = { type: 'string' } as const

const parsed = (args: readonly string[]) =>
  asUsage(() => parseArgs({ args: [...args], options: { organization: text, slug: text, name: text }, allowPositionals: true }))

const verifyOptions = (args: readonly string[]) =>
  asUsage(() => parseArgs({ args: [...args], options: { checkpoints: text, 'public-key': text } }).values)
