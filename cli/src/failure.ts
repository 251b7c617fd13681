import { ProblemError } from '@adjoin/contract'
import { joined, type Safe, safe } from './terminal.ts'

/** Exit codes by class, so that scripts can tell what to do. */
export const EXIT = { attention: 1, usage: 2, auth: 3, notFound: 4, conflict: 5, limited: 6, server: 7, adSystem: 8 } as const

export class CommandFailure extends Error {
  readonly exit: number
  readonly text: Safe

  constructor(exit: number, message: string | Safe) {
    const text = safe`${message}`
    super(text.safe)
    this.exit = exit
    this.text = text
  }
}

/** Where the credential comes from that was sent: the environment, or what `adjoin login` remembers. */
export type Credential = 'ADJOIN_API_KEY' | 'ADJOIN_TOKEN' | 'key' | 'session'

export const usage = (message: string): CommandFailure => new CommandFailure(EXIT.usage, message)

/** A file that was named and is not there, or may not be read or written. */
const FILE_TROUBLE = ['ENOENT', 'EACCES', 'EISDIR', 'ENOTDIR', 'EEXIST']

export function exitOf(error: unknown): number {
  if (error instanceof CommandFailure) return error.exit
  if (!(error instanceof ProblemError)) return FILE_TROUBLE.includes((error as NodeJS.ErrnoException).code ?? '') ? EXIT.usage : EXIT.server
  const { status } = error
  if (status === 401 || status === 403) return EXIT.auth
  if (status === 404) return EXIT.notFound
  if (status === 409 || status === 422) return EXIT.conflict
  if (status === 429) return EXIT.limited
  return status >= 500 ? EXIT.server : EXIT.usage
}

/** Of its own defects the service tells nothing but the request's id. */
const DEFECT = 'Something went wrong on the server. Try again; if it happens again, report this request id to the operator.'

/** What went wrong, as text a person can act on: the problem's own words. */
export function explain(error: unknown, url: string, credential?: Credential): Safe {
  if (error instanceof CommandFailure) return error.text
  if (error instanceof ProblemError) {
    const { problem, retryAfter } = error
    const fields = (problem.errors ?? []).map(({ path, message }) => safe`  ${path}: ${message}`)
    const detail = String(problem.detail ?? DEFECT).replace('after `Retry-After` seconds', `in ${retryAfter ?? 1} s`)
    // The lines below say what is wrong with each value; the sentence would only point to them.
    const head = problem.code === 'validation_failed' && fields.length ? 'Some values are not valid:' : detail
    const wait = retryAfter && !detail.includes('Try again in') ? [safe`  Try again in ${retryAfter} s.`] : []
    const next = nextFor(problem, credential)
    const login = next ? [safe`  ${next}`] : []
    const trace = problem.requestId && problem.status >= 500 ? [safe`  Request ${problem.requestId}`] : []
    return joined([safe`${head}`, ...fields, ...login, ...wait, ...trace], '\n')
  }
  if (error instanceof TypeError && error.message === 'fetch failed')
    return safe`Can’t reach ${url} (${(error.cause as { code?: string } | undefined)?.code ?? 'refused'}). Is the service running there? To use another address, set --url or ADJOIN_URL.`
  const { code = '', path, message } = error as NodeJS.ErrnoException
  return FILE_TROUBLE.includes(code) && path ? safe`Can’t open ${path}: ${message.replace(/^\w+: (.*?), .*$/, '$1')}.` : safe`${message}`
}

/** What to do where it is the credential that was refused. */
function nextFor({ status, code }: { status: number; code: string }, credential: Credential | undefined): string | undefined {
  if (!credential) return status === 401 && !NO_CREDENTIAL.includes(code) ? 'Run `adjoin login`, or set ADJOIN_API_KEY.' : undefined
  if (code === 'credential_refused' && (credential === 'ADJOIN_API_KEY' || credential === 'key'))
    return `You used an API key${credential === 'key' ? '' : ' (ADJOIN_API_KEY)'}. To do this as yourself: ${AGAIN[credential]}`
  return code === 'credential_invalid' ? AGAIN_WITH[credential] : undefined
}
/** What was refused is a link or a code. */
const NO_CREDENTIAL = ['sign_in_invalid', 'link_expired']

const AGAIN = { ADJOIN_API_KEY: 'unset it and run `adjoin login`.', key: 'run `adjoin login`.' }
const AGAIN_WITH: Record<Credential, string> = {
  ADJOIN_API_KEY: 'The key is from ADJOIN_API_KEY. Set it to another one, or unset it and run `adjoin login`.',
  ADJOIN_TOKEN: 'The token is from ADJOIN_TOKEN. Set it to another one, or unset it and run `adjoin login`.',
  key: 'Run `adjoin login`, or `adjoin login --with-key` with another key.',
  session: 'Run `adjoin login`.',
}
