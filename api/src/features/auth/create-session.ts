// A session is made in one transaction with everything it brings along: the account, the parked sign-up's
// organization, the membership by domain, and the audit entries of each. All ways to sign in end here.
import { type Answer, domainOf, type IdentityProvider, quotas } from '@adjoin/contract'
import { setSessionCookie } from '../../access/credential.ts'
import { firstExpiry, isLive } from '../../access/session-life.ts'
import { type Recorder, transact, userActor } from '../../audit/transact.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { digest, newToken } from '../../vault/tokens.ts'
import { toUser, type UserRow, userColumns } from '../account/user-row.ts'
import { completeSignUp, type SignUpOutcome, takeSignUp } from './complete-sign-up.ts'
import { addCookie, type FlowCall } from './cookies.ts'
import { provision } from './provision.ts'
import { refuseSignIn } from './refuse-sign-in.ts'

export type SignInMethod = 'magic-link' | IdentityProvider | 'device'

/** An address whose owner has just proved to hold it. */
export interface ProvedAddress {
  readonly email: string
  readonly method: SignInMethod
  /** What the identity provider calls the person; a sign-up's name wins. */
  readonly name?: string | undefined
  readonly image?: string | undefined
  /** False: the person chose to sign in without the organization that was asked for. */
  readonly completeSignUp: boolean
  /** Written in the same transaction: links an identity provider's account. */
  readonly link?: ((query: RunQuery, userId: string) => Promise<unknown>) | undefined
}

export const createSession = (call: FlowCall, proved: ProvedAddress): Promise<SignedIn> =>
  openSession(call, proved.method, async (query, record) => {
    const parked = await takeSignUp(query, proved.email)
    const user = (await findUser(query, proved.email)) ?? (await createUser(query, proved, parked?.name))
    await lockPerson(query, user.id)
    await proved.link?.(query, user.id)
    const signUp = parked && proved.completeSignUp ? await completeSignUp(query, record, user, parked) : undefined
    await provision(call.parts, query, record, user)
    return { user, signUp }
  })

/**
 * For a person known by something else than a fresh proof of their address:
 * it completes no sign-up and provisions nothing.
 */
export const reopenAccount = (
  call: FlowCall,
  userId: string,
  method: SignInMethod,
  spend?: (query: RunQuery) => Promise<unknown>,
): Promise<SignedIn> =>
  openSession(call, method, async (query) => {
    await lockPerson(query, userId)
    await spend?.(query)
    const [user] = await query<UserRow>(sql`select ${userColumns} from users where id = ${userId}`)
    return { user: user ?? refuseSignIn('account_unknown') }
  })

/**
 * One after the other for each person: parallel sign-ins do not count past fifty, and who signs
 * out everywhere waits for the session and the membership that are being made, or is seen by them.
 */
const lockPerson = (query: RunQuery, userId: string) => query(sql`select lock_person(${userId})`)

type SignedIn = Answer<'verifySignIn'>
type SignInSubject = { user: UserRow; signUp?: SignUpOutcome | undefined }

async function openSession(
  call: FlowCall,
  method: SignInMethod,
  findSubject: (query: RunQuery, record: Recorder) => Promise<SignInSubject>,
) {
  const token = newToken()
  const { user, session, signUp } = await transact({ ...call, via: 'signIn' }, async (query, record) => {
    const { user, signUp } = await findSubject(query, record)
    const { ended, ...session } = await insertSession(query, call, user.id, method, token)
    await recordSignIn(query, record, user, method, ended)
    return { user, session, signUp }
  })
  // The cookie outlives an idle week, since each use prolongs the session: the database decides its end.
  addCookie(call.headers, setSessionCookie(call.parts.config, token, session.longest))
  return { ...(!call.origin.fromBrowser && { token }), expiresAt: session.expires_at, user: toUser(user), ...signUpMembers(signUp) }
}

const signUpMembers = (outcome: SignUpOutcome | undefined) =>
  outcome &&
  ('slug' in outcome
    ? { signUp: 'completed' as const, organizationSlug: outcome.slug }
    : { signUp: 'refused' as const, signUpReason: outcome.refused })

const findUser = async (query: RunQuery, email: string) =>
  (await query<UserRow>(sql`select ${userColumns} from users where email = ${email}`))[0]

/**
 * An unknown address gets an account only if something waits for it:
 * a sign-up, an invitation, or an organization that its domain joins.
 */
async function createUser(query: RunQuery, proved: ProvedAddress, signUpName: string | undefined): Promise<UserRow> {
  if (signUpName === undefined && !(await isExpected(query, proved.email)))
    refuseSignIn('account_unknown', 'There is no account for this address. Sign up, or ask a colleague to invite you.')
  const name = signUpName ?? proved.name ?? proved.email.slice(0, proved.email.indexOf('@'))
  // Of two first sign-ins at once one inserts, the other reads.
  const [made] = await query<UserRow>(
    sql`insert into users (email, name, image) values (${proved.email}, ${name}, ${proved.image ?? null})
      on conflict (email) do nothing returning ${userColumns}`,
  )
  return made ?? (await findUser(query, proved.email))!
}

/** Does something wait for an address without an account? */
export async function isExpected(query: RunQuery, email: string): Promise<boolean> {
  const [row] = await query<{
    expected: boolean
  }>(sql`select exists (select 1 from organizations where domain = ${domainOf(email)} and auto_join)
    or exists (select 1 from invitations where email = ${email} and status = 'pending' and expires_at > now())
    or exists (select 1 from sign_ups where email = ${email} and expires_at > now()) as expected`)
  return row!.expected
}

/** At most fifty sessions a person: the one used longest ago makes room: a refusal would lock them out. */
async function insertSession(query: RunQuery, { origin }: FlowCall, userId: string, method: string, token: string) {
  const ended =
    await query(sql`update sessions set ended_at = now() where id in (select id from sessions where user_id = ${userId} and ${isLive}
    order by last_used_at desc offset ${quotas.sessions - 1}) returning id`)
  const [row] = await query<{ created_at: Date }>(sql`insert into sessions (token_hash, user_id, method, ip, user_agent)
    values (${digest(token)}, ${userId}, ${method}, ${origin.ip}, ${origin.userAgent}) returning created_at`)
  return { ...firstExpiry(row!.created_at), ended: ended.length }
}

/** One entry in each organization of the person. */
async function recordSignIn(query: RunQuery, record: Recorder, user: UserRow, method: string, ended: number): Promise<void> {
  const memberships = await query<{ organization_id: string }>(sql`select organization_id from members where user_id = ${user.id}`)
  for (const { organization_id } of memberships)
    record('user.signed_in', {
      organizationId: organization_id,
      actor: userActor(user),
      target: { type: 'user', id: user.id, name: user.name },
      metadata: { method, ...(ended && { endedSessions: ended }) },
      takesPower: ended > 0,
    })
}
