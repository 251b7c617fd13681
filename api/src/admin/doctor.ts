// Looks at everything the service depends on, and says of each what is wrong and what to do about it.
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createTransport } from 'nodemailer'
import type { Config } from '../config.ts'
import { isDistributed } from '../db/connect.ts'
import type { Database } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import { missingKeys } from '../features/infra/sealed-columns.ts'
import { providers } from '../providers/index.ts'
import { knownSettings } from '../providers/misspelled-settings.ts'
import { operatorSettings } from '../providers/operator-settings.ts'
import { openDatabase, openVault } from './database.ts'

export interface DoctorFinding {
  readonly what: string
  readonly state: 'good' | 'note' | 'wrong'
  readonly says: string
  readonly fix?: string
}

const good = (what: string, says: string): DoctorFinding => ({ what, state: 'good', says })
const note = (what: string, says: string, fix: string): DoctorFinding => ({ what, state: 'note', says, fix })
const wrong = (what: string, says: string, fix: string): DoctorFinding => ({ what, state: 'wrong', says, fix })

const PATIENCE_MS = 5000
const CLOCK_MS = 2000
const MIGRATIONS = fileURLToPath(new URL('../db/migrations', import.meta.url))

/** One finding after the other, as they are made: a slow one does not hide those before it. */
export async function* examine(config: Config): AsyncGenerator<DoctorFinding> {
  yield await publicUrl(config)
  yield* database(config)
  yield await mail(config)
  yield* providerApps(config)
}

async function publicUrl({ publicUrl }: Config): Promise<DoctorFinding> {
  const what = 'public address'
  const start = 'Start the service, or correct PUBLIC_URL or the proxy in front of it.'
  try {
    const answer = await fetch(`${publicUrl}/version`, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'error' })
    const { version } = (await answer.json()) as { version?: string }
    if (version) return good(what, `${publicUrl} is Adjoin ${version}`)
    return wrong(what, `${publicUrl} answers, but it is not Adjoin`, start)
  } catch (error) {
    if (error instanceof SyntaxError) return wrong(what, `${publicUrl} answers, but it is not Adjoin`, start)
    return note(what, `${publicUrl} can’t be reached from here`, start)
  }
}

async function* database(config: Config): AsyncGenerator<DoctorFinding> {
  const where = config.databaseUrl ? 'the database of DATABASE_URL' : `the embedded database in ${config.dataDir}`
  const opened = await openDatabase(config).catch((error: Error) => error)
  if (opened instanceof Error) {
    yield wrong('database', opened.message, 'Check DATABASE_URL, its account and the network; for the embedded database, DATA_DIR.')
    return
  }
  try {
    const { db } = opened
    const [server] = await db.query<{ version: string }>(sql`select current_setting('server_version') as version`)
    yield good('database', `${where} is reachable: PostgreSQL ${server!.version}`)
    yield* timeouts(db)
    yield* cluster(db)
    yield await clock(db)
    const schema = await schemaOf(db)
    yield schema
    if (schema.state === 'wrong') return
    yield await sealKeys(db, config)
    yield await jobs(db)
    yield await freezes(db)
  } catch (error) {
    yield wrong('database', (error as Error).message, 'Check the database log: a statement failed or did not finish.')
  } finally {
    await opened.close()
  }
}

/** A pooler ignores, or is not sent, what connections ask for: then only the account can have limits. */
async function* timeouts(db: Database): AsyncGenerator<DoctorFinding> {
  const [row] = await db.query<{ none: boolean }>(sql`select current_setting('statement_timeout') = '0' as none`)
  if (row!.none)
    yield note(
      'timeouts',
      'statements outside of transactions have no time limit behind this pooler',
      "Set it for the account of DATABASE_URL: alter role … set statement_timeout = '4s'; alter role … set lock_timeout = '2s'.",
    )
}

/** Where the database has Citus: whether it is used, and whether all of its nodes answer. */
async function* cluster(db: Database): AsyncGenerator<DoctorFinding> {
  const [citus] = await db.query(sql`select 1 from pg_extension where extname = 'citus'`)
  if (!citus) return
  if (!(await isDistributed(db))) {
    yield note(
      'cluster',
      'Citus is installed, but nothing is distributed',
      'Run `adjoin-admin distribute --dry-run` to see what it would do.',
    )
    return
  }
  const nodes = await db.query<{ name: string; answers: boolean }>(sql`select n.nodename || ':' || n.nodeport as name,
    coalesce(citus_check_connection_to_node(n.nodename, n.nodeport), false) as answers from pg_dist_node n where n.noderole = 'primary'`)
  const silent = nodes.filter(({ answers }) => !answers).map(({ name }) => name)
  if (silent.length)
    yield wrong(
      'cluster',
      `does not answer: ${silent.join(', ')}`,
      'Start it, or let its standby take over. Its organizations get 503 until then.',
    )
  else yield good('cluster', `distributed by Citus; all ${nodes.length} nodes answer`)
}

/** Everything that ends is compared with the database's clock; the certificates of others with ours. */
async function clock(db: Database): Promise<DoctorFinding> {
  const before = Date.now()
  const [row] = await db.query<{ now: Date }>(sql`select clock_timestamp() as now`)
  const apart = row!.now.getTime() - (before + Date.now()) / 2
  if (Math.abs(apart) < CLOCK_MS) return good('clock', `within ${Math.ceil(Math.abs(apart))} ms of the database’s clock`)
  const seconds = (Math.abs(apart) / 1000).toFixed(1)
  return wrong(
    'clock',
    `${seconds} s ${apart > 0 ? 'behind' : 'ahead of'} the database’s clock`,
    'Synchronize both machines, for example with chrony.',
  )
}

async function schemaOf(db: Database): Promise<DoctorFinding> {
  const files = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql'))
  const [table] = await db.query<{ there: boolean }>(sql`select to_regclass('migrations') is not null as there`)
  const [applied] = table!.there ? await db.query<{ n: number }>(sql`select count(*) as n from migrations`) : [{ n: 0 }]
  const missing = files.length - applied!.n
  if (missing > 0)
    return wrong(
      'schema',
      `${missing} ${missing === 1 ? 'migration is' : 'migrations are'} not applied`,
      'Run `adjoin-admin migrate`, or start the service.',
    )
  if (missing < 0)
    return note(
      'schema',
      `${-missing} ${missing === -1 ? 'migration' : 'migrations'} of a newer version of Adjoin, which this one works with`,
      'Upgrade again once the reason to go back is gone.',
    )
  return good('schema', `up to date (${files.length} migrations)`)
}

async function sealKeys(db: Database, config: Config): Promise<DoctorFinding> {
  const { keyIds } = openVault(config)
  const missing = await missingKeys(db, keyIds)
  if (missing.length) {
    const needs = missing.map(({ key, count, column }) => `${key} (${count} of ${column})`).join(', ')
    return wrong('seal keys', `the key ring is missing ${needs}`, 'Put the missing keys back into SEAL_KEYS, after the first one.')
  }
  if (keyIds.length > 1)
    return note('seal keys', `${keyIds.length} keys; sealing with ${keyIds[0]}`, 'Run `adjoin-admin reseal`, then remove the older keys.')
  return good(
    'seal keys',
    config.sealKeys ? `sealing with ${keyIds[0]}` : `sealing with ${keyIds[0]}, made for development in ${config.dataDir}/seal-keys`,
  )
}

async function jobs(db: Database): Promise<DoctorFinding> {
  const [row] = await db.query<{ late: number; failed: number }>(sql`select
    count(*) filter (where failed_at is null and run_at < now() - interval '10 minutes' and (leased_until is null or leased_until < now())) as late,
    count(*) filter (where failed_at is not null) as failed from jobs`)
  if (row!.late) return wrong('jobs', `${row!.late} waiting for more than 10 minutes`, 'Start a process that has jobs in its ROLES.')
  if (row!.failed) return note('jobs', `${row!.failed} failed permanently`, 'See last_error in the jobs table; most are emails.')
  return good('jobs', 'none overdue')
}

/** Somebody meant it; but it must not be forgotten, because access that is not renewed expires. */
async function freezes(db: Database): Promise<DoctorFinding> {
  const frozen = await db.query<{ slug: string; days: number }>(sql`select slug, extract(day from now() - frozen_at)::int as days
    from organizations where frozen_at is not null order by frozen_at limit 6`)
  if (!frozen.length) return good('freezes', 'no organization is frozen')
  const named = frozen.slice(0, 5).map(({ slug, days }) => `${slug} (${days === 0 ? 'today' : days === 1 ? '1 day' : `${days} days`})`)
  return note(
    'freezes',
    `frozen, nothing is sent to ad systems: ${named.join(', ')}${frozen.length > 5 ? ' and more' : ''}`,
    'Their admins unfreeze them in Settings; if none can, run `adjoin-admin thaw ORG`.',
  )
}

async function mail({ smtpUrl, mailFrom, environment }: Config): Promise<DoctorFinding> {
  if (!smtpUrl) return note('mail', 'emails are not sent; read them at /dev/mailbox', 'Set SMTP_URL and MAIL_FROM to send them.')
  const { host } = new URL(smtpUrl)
  const options = { connectionTimeout: PATIENCE_MS, greetingTimeout: PATIENCE_MS, socketTimeout: PATIENCE_MS }
  const transporter = createTransport({ url: smtpUrl, ...options })
  try {
    await transporter.verify()
  } catch (error) {
    return wrong('mail', `${host}: ${(error as Error).message}`, 'Check the host, port, account and password in SMTP_URL.')
  } finally {
    transporter.close()
  }
  if (environment === 'production' && /@localhost>?$/.test(mailFrom))
    return wrong('mail', 'emails would be sent from @localhost', 'Set MAIL_FROM, for example MAIL_FROM="Adjoin <no-reply@agency.example>".')
  return good('mail', `connected to ${host}; emails are sent from ${mailFrom}`)
}

/** Half an app is a mistake; none at all is a choice. */
function* providerApps({ providerSettings, sandbox }: Config): Generator<DoctorFinding> {
  const ready: string[] = []
  for (const provider of providers) {
    const { app } = operatorSettings(provider)
    const missing = app.filter((name) => !providerSettings[name])
    if (missing.length === 0) ready.push(provider.name)
    else if (missing.length < app.length)
      yield wrong('provider apps', `${provider.name} is missing ${missing.join(' and ')}`, 'Set all of its settings, or none.')
  }
  for (const name of Object.keys(providerSettings))
    if (!knownSettings.has(name) && !COMMAND_LINE.includes(name))
      yield wrong('provider apps', `${name} is not a known setting`, 'Check its spelling, for example ADJOIN_GOOGLE_ADS_CLIENT_ID.')
  const rest = providers.length - ready.length
  if (rest === 0) yield good('provider apps', `all ${providers.length} ad systems can be connected`)
  else if (sandbox)
    yield note(
      'provider apps',
      `${rest} of ${providers.length} ad systems have no app yet; sandbox twins stand in`,
      'Set ADJOIN_<PROVIDER>_CLIENT_ID and …_CLIENT_SECRET for those you need.',
    )
  else
    yield note(
      'provider apps',
      `${ready.length} of ${providers.length} ad systems can be connected`,
      'Set ADJOIN_<PROVIDER>_CLIENT_ID and …_CLIENT_SECRET for the others you need.',
    )
}

/** Settings of the command line, which may stand in the same environment. */
const COMMAND_LINE = ['ADJOIN_URL', 'ADJOIN_PROFILE', 'ADJOIN_ORG', 'ADJOIN_WORKSPACE', 'ADJOIN_TOKEN', 'ADJOIN_API_KEY']
