// What answers at DATABASE_URL. Several engines speak PostgreSQL's protocol and report one of its versions, but lack what the
// service relies on: row triggers, advisory locks, `for update skip locked`. Found out later, that would be found out by losses.

const OTHERS: readonly { readonly name: string; readonly mark: RegExp }[] = [
  { name: 'CockroachDB', mark: /CockroachDB/i },
  { name: 'YugabyteDB', mark: /-YB-|Yugabyte/i },
  { name: 'Amazon Redshift', mark: /Redshift/i },
  { name: 'Greenplum', mark: /Greenplum/i },
  { name: 'Materialize', mark: /Materialize/i },
  { name: 'RisingWave', mark: /RisingWave/i },
  { name: 'openGauss', mark: /openGauss|GaussDB/i },
]

/** The name of an engine that is not PostgreSQL, by what it answers to `select version()`. */
export const foreignEngine = (version: string): string | undefined =>
  OTHERS.find(({ mark }) => mark.test(version))?.name ??
  (/^(PostgreSQL|EnterpriseDB) \d/.test(version) ? undefined : version.split(/[\s,(]/, 1)[0] || 'an unknown engine')

const OLDEST_MAJOR = 15

/** `number` is PostgreSQL's `server_version_num`. */
export function refuseEngine({ version, number }: { version: string; number: number }): void {
  const foreign = foreignEngine(version)
  if (foreign)
    throw new Error(
      `DATABASE_URL points to ${foreign}, which Adjoin does not run on. Use PostgreSQL ${OLDEST_MAJOR} or later, or Citus to distribute it over several servers.`,
    )
  const major = Math.floor(number / 10_000)
  if (major < OLDEST_MAJOR)
    throw new Error(
      `DATABASE_URL points to PostgreSQL ${major}, but Adjoin needs ${OLDEST_MAJOR} or later. Upgrade it, or use another server.`,
    )
}
