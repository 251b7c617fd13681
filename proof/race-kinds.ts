// What can be won once. Each kind sets a round up:
// what is sent a hundred times at once, who has won, and how the others are told.
import { type Client, createClient } from '@adjoin/contract'
import type { OpenIdProvider } from '../api/test/openid-provider.ts'
import { codeOf, mailedTokenOf, mailTo } from '../furnishing/front-door.ts'
import type { Furnish, ProofPerson } from './furnish.ts'
import type { Shot, ShotAnswer } from './volley.ts'

export const PUBLIC_URL = 'http://localhost:3000'
const PARALLEL = 100

export interface RaceContext {
  readonly urls: readonly string[]
  readonly furnish: Furnish
  readonly openId: OpenIdProvider
}
export interface Round {
  readonly shots: readonly Shot[]
  readonly won: (answer: ShotAnswer) => boolean
  /** The status and code of a problem, or where a browser is sent. */
  readonly lost: readonly string[]
  /** A second success that only says what is already so. */
  readonly repeats?: boolean
  /** A statement whose every column must be 1 afterwards. */
  readonly after: readonly [text: string, ...values: unknown[]]
}
type RaceKind = (context: RaceContext, round: number) => Promise<Round>

const times = <T>(make: (i: number) => T): T[] => Array.from({ length: PARALLEL }, (_, i) => make(i))
const landing = ({ headers }: ShotAnswer) => headers.location ?? ''
const clientOf = ({ urls }: RaceContext, { headers }: ProofPerson, at = 0): Client =>
  createClient({ url: urls[at]!, headers: { ...headers } })
const entries = (action: string, organization = '$1') =>
  `(select count(*)::int from audit_entries where organization_id = ${organization} and action = '${action}') as entries`

const signIn =
  (by: 'token' | 'code'): RaceKind =>
  async (context) => {
    const { admin, id } = await context.furnish.organization()
    const { email } = admin
    const { challenge } = await createClient({ url: context.urls[0]! }).sendSignInLink({ email })
    const mail = await mailTo(context.urls[0]!, email)
    const body = by === 'token' ? { token: mailedTokenOf(mail) } : { email, code: codeOf(mail), challenge }
    return {
      shots: times(() => ({ method: 'POST', path: '/v1/auth/magic-link/verify', body })),
      won: ({ status }) => status === 200,
      lost: ['401 sign_in_invalid'],
      // One besides the session that the person began with.
      after: [`select (select count(*)::int - 1 from sessions where user_id = $2) as sessions, ${entries('user.signed_in')}`, id, admin.id],
    }
  }

const invitation: RaceKind = async (context) => {
  const organization = await context.furnish.organization()
  const invitee = await context.furnish.person()
  const asked = { email: invitee.email, role: 'member' as const }
  const { id } = await clientOf(context, organization.admin).createOrganizationInvitation({ orgSlug: organization.slug }, asked)
  return {
    shots: times(() => ({ method: 'POST', path: `/v1/me/invitations/${id}/accept`, headers: invitee.headers })),
    won: ({ status }) => status === 200,
    lost: ['409 invitation_closed'],
    after: [
      `select (select count(*)::int from members where organization_id = $1 and user_id = $2 and role = 'member') as memberships,
         (select count(*)::int from invitations where id = $3 and status = 'accepted') as accepted, ${entries('invitation.accepted')}`,
      organization.id,
      invitee.id,
      id,
    ],
  }
}

/** A new integration and its connect token; what must be true once somebody has connected it. */
async function connectable(context: RaceContext, provider: 'xandr' | 'google_ads') {
  const organization = await context.furnish.organization()
  const at = { orgSlug: organization.slug, workspaceSlug: (await context.furnish.workspace(organization)).slug }
  const settings = provider === 'xandr' ? {} : { customerId: '1234567890' }
  const { id, connectUrl } = await clientOf(context, organization.admin).createIntegration(at, { provider, name: 'Ads', settings })
  const after = [
    `select (select count(*)::int from integrations where id = $2 and status = 'active' and credential is not null and credential_version = 1) as credentials,
       (select 1 - count(*)::int from connect_links where integration_id = $2) as consumed,
       (select count(*)::int from integration_checks where integration_id = $2) as checks, ${entries('integration.connected')}`,
    organization.id,
    id,
  ] as const
  return { token: connectUrl.split('/').at(-1)!, after }
}

/** Each with a login of its own: ad systems count how often one signs in, and so do their twins. */
const connectForm: RaceKind = async (context, round) => {
  const { token, after } = await connectable(context, 'xandr')
  return {
    shots: times((i) => ({
      method: 'POST',
      path: `/v1/connect/${token}/credentials`,
      body: { username: `api-user-${round}-${i}`, password: 'Correct-Horse-1' },
    })),
    won: ({ status, body }) => status === 200 && JSON.parse(body).status === 'active',
    lost: ['404 not_found'],
    after,
  }
}

/** To the consent screen and allowed there: the path that the browser comes back with. */
async function consent({ urls }: RaceContext, token: string, i: number): Promise<string> {
  const url = urls[i % urls.length]!
  const { authorizationUrl } = await createClient({ url }).startConnectOAuth({ token }, {})
  const there = await fetch(`${authorizationUrl.replace(PUBLIC_URL, url)}&decision=allow`, { redirect: 'manual' })
  const { pathname, search } = new URL(there.headers.get('location')!)
  return pathname + search
}
const connected = (answer: ShotAnswer) => answer.status === 302 && landing(answer).startsWith(`${PUBLIC_URL}/connect/result#`)

/** A hundred clients have been to the consent screen through one link, each with a state of its own. */
const connectConsents: RaceKind = async (context) => {
  const { token, after } = await connectable(context, 'google_ads')
  const paths = await Promise.all(times((i) => consent(context, token, i)))
  return {
    shots: paths.map((path) => ({ method: 'GET', path })),
    won: connected,
    lost: [`302 ${PUBLIC_URL}/error?code=connect_link_gone`],
    after,
  }
}

const connectState: RaceKind = async (context) => {
  const { token, after } = await connectable(context, 'google_ads')
  const path = await consent(context, token, 0)
  return {
    shots: times(() => ({ method: 'GET', path })),
    won: connected,
    lost: [`302 ${PUBLIC_URL}/error?code=connect_state_invalid`],
    after,
  }
}

const openIdState: RaceKind = async (context) => {
  const { admin, id } = await context.furnish.organization()
  context.openId.next = { sub: admin.id, email: admin.email, email_verified: true }
  const { path, cookie } = await throughProvider(context.urls[0]!)
  return {
    shots: times(() => ({ method: 'GET', path, headers: { cookie } })),
    won: (answer) => answer.status === 302 && landing(answer) === `${PUBLIC_URL}/`,
    lost: [`302 ${PUBLIC_URL}/error?code=state_invalid`],
    after: [
      `select (select count(*)::int - 1 from sessions where user_id = $2) as sessions,
         (select count(*)::int from identities where user_id = $2) as identities, ${entries('user.signed_in')}`,
      id,
      admin.id,
    ],
  }
}

/** What a browser does until the identity provider sends it back: the callback's path, and our cookie. */
async function throughProvider(service: string): Promise<{ path: string; cookie: string }> {
  const jars = { ours: new Map<string, string>(), theirs: new Map<string, string>() }
  let at = new URL('/v1/auth/google', service)
  for (let hops = 0; hops < 10; hops++) {
    const jar = at.origin === service ? jars.ours : jars.theirs
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    if (at.origin === PUBLIC_URL) return { path: at.pathname + at.search, cookie: [...jars.ours].map((pair) => pair.join('=')).join('; ') }
    const answer = await fetch(at, { redirect: 'manual', headers: cookie ? { cookie } : {} })
    for (const line of answer.headers.getSetCookie()) jar.set(...(/^([^=]+)=([^;]*)/.exec(line)!.slice(1) as [string, string]))
    at = new URL(answer.headers.get('location')!, at)
  }
  throw new Error('the identity provider sent nobody back')
}

/** Half of them by an admin, half by the key itself. */
const rotation: RaceKind = async (context) => {
  const organization = await context.furnish.organization()
  const { id, headers } = await context.furnish.key(organization)
  return {
    shots: times((i) => ({
      method: 'POST',
      path: `/v1/organizations/${organization.slug}/api-keys/${id}/rotate`,
      headers: i % 2 ? headers : organization.admin.headers,
      body: { graceHours: 0 },
    })),
    won: ({ status }) => status === 201,
    lost: ['409 key_replaced', '401 credential_invalid'],
    after: [
      `select (select count(*)::int from api_keys where organization_id = $1 and id <> $2 and revoked_at is null) as successors,
         (select count(*)::int from api_keys where organization_id = $1 and revoked_at is not null and replaced_by is not null) as retired,
         ${entries('api_key.rotated')}`,
      organization.id,
      id,
    ],
  }
}

const deviceCode: RaceKind = async (context) => {
  const { id, admin } = await context.furnish.organization()
  const { deviceCode, userCode } = await createClient({ url: context.urls[1]! }).startDeviceLogin({ clientName: 'Proof' })
  await clientOf(context, admin, 2).approveDeviceLogin({ userCode })
  return {
    shots: times(() => ({ method: 'POST', path: '/v1/auth/device/token', body: { deviceCode } })),
    won: ({ status }) => status === 200,
    lost: ['400 device_expired'],
    after: [
      `select (select count(*)::int from sessions where user_id = $2 and method = 'device') as sessions, ${entries('user.signed_in')}`,
      id,
      admin.id,
    ],
  }
}

/** Nobody can be made an admin where there is none: one at the end means one at every moment. */
const ONE_ADMIN = `(select count(*)::int from members where organization_id = $1 and role = 'admin') as admins`

const lastAdmin =
  (action: 'demote' | 'remove' | 'leave'): RaceKind =>
  async ({ furnish }) => {
    const organization = await furnish.organization()
    const pair = [organization.admin, await furnish.join(organization, 'admin')] as const
    const path = ({ id }: ProofPerson) => `/v1/organizations/${organization.slug}/members/${id}`
    const shot = (by: ProofPerson, other: ProofPerson): Shot =>
      action === 'demote'
        ? { method: 'PATCH', path: path(other), headers: by.headers, body: { role: 'viewer' } }
        : { method: 'DELETE', path: path(action === 'leave' ? by : other), headers: by.headers }
    return {
      shots: times((i) => (i % 2 ? shot(pair[0], pair[1]) : shot(pair[1], pair[0]))),
      won: ({ status }) => status === (action === 'demote' ? 200 : 204),
      repeats: action === 'demote',
      // Too late as an admin, or no longer one, or no longer anybody.
      lost: ['409 last_admin', '403 role_too_low', '404 not_found'],
      after: [`select ${ONE_ADMIN}, ${ENDINGS}`, organization.id],
    }
  }

const ENDINGS = `(select count(*)::int from audit_entries where organization_id = $1 and action in ('member.updated', 'member.removed')
     and content::jsonb -> 'changes' @> '[{"field":"role","from":"admin"}]') as endings`

// biome-ignore format: a table
export const kinds: Readonly<Record<string, RaceKind>> = {
  'a sign-in link': signIn('token'),
  'a sign-in code': signIn('code'),
  'an invitation': invitation,
  'a connect token, by form': connectForm,
  'a connect token, by a hundred consents': connectConsents,
  'the state of a consent': connectState,
  'the state of a sign-in by OpenID': openIdState,
  'the rotation of a key': rotation,
  'a device code': deviceCode,
  'the last admin, two demoting each other': lastAdmin('demote'),
  'the last admin, two removing each other': lastAdmin('remove'),
  'the last admin, two leaving': lastAdmin('leave'),
}
