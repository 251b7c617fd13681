// DATABASE_URL with one host or several: `postgres://user:password@h1:5432,h2:5432/db?target_session_attrs=read-write`.

export interface DatabaseAddresses {
  /** The address of each host, as if it were the only one. */
  readonly urls: readonly string[]
  /** Which of them is taken, if that must be found out. */
  readonly wanted?: 'read-write' | 'primary'
}

const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)([^?#]*)(?:\?([^#]*))?$/
const EXAMPLE = 'postgres://adjoin:secret@db-1.internal:5432,db-2.internal:5432/adjoin?target_session_attrs=read-write'

/** Throws a sentence that says what to write; it never repeats the address, which holds a password. */
export function parseAddresses(databaseUrl: string): DatabaseAddresses {
  const [, account, hosts, path, query] = PARTS.exec(databaseUrl) ?? []
  if (account === undefined) throw new Error('expected a PostgreSQL address')
  const parameters = new URLSearchParams(query)
  const wanted = parameters.get('target_session_attrs')
  const names = hosts!.split(',')
  const several = names.length > 1
  if (!several && wanted === null) {
    if (!URL.canParse(databaseUrl)) throw new Error('expected a PostgreSQL address')
    return { urls: [databaseUrl] }
  }
  parameters.delete('target_session_attrs')
  if (wanted === null)
    throw new Error('with several hosts, add ?target_session_attrs=read-write, so that only the server that accepts changes is used')
  if (wanted !== 'read-write' && wanted !== 'primary')
    throw new Error('target_session_attrs must be read-write or primary, because the service writes to its database')
  if (path!.length < 2) throw new Error(`the name of the database is missing after the hosts. Write it like ${EXAMPLE}`)
  const rest = `${path}${parameters.size ? `?${parameters}` : ''}`
  const urls = names.map((name, i) => {
    const url = `${account}${name}${rest}`
    if (!name || name.startsWith(':')) throw new Error(`host ${i + 1} of ${names.length} is empty. Write the hosts like ${EXAMPLE}`)
    if (!URL.canParse(url) || new URL(url).port === '0')
      throw new Error(`host ${i + 1} of ${names.length} is not a host name with a port. Write the hosts like ${EXAMPLE}`)
    return url
  })
  return { urls, wanted }
}

/** The address itself, once it is known to be one. */
export function checkedAddress(databaseUrl: string): string {
  parseAddresses(databaseUrl)
  return databaseUrl
}
