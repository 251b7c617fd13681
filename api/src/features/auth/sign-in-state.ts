// What we must remember while a person signs in at an identity provider.
// It is in a cookie that only this service can open: sealed, for one provider, for one use.
import type { IdentityProvider } from '@adjoin/contract'
import { sql } from '../../db/sql.ts'
import type { SignInVisit } from '../../identity/index.ts'
import { isSealBroken } from '../../vault/seal.ts'
import { digest } from '../../vault/tokens.ts'
import { FLOW_SECONDS, type FlowCall, flowCookie, setFlowCookie } from './cookies.ts'

export interface SignInState extends SignInVisit {
  readonly callbackURL: string | null
  readonly expiresAt: string
}

const cookieOf = (provider: IdentityProvider) => `oidc_${provider}`
const binding = (provider: IdentityProvider) => ['sign-in state', provider]

export async function saveState(call: FlowCall, provider: IdentityProvider, visit: SignInVisit, callbackURL: string | null): Promise<void> {
  const { db, vault } = call.parts
  const [row] = await db.query<{ expires: Date }>(sql`select now() + make_interval(secs => ${FLOW_SECONDS}) as expires`)
  const state: SignInState = { ...visit, callbackURL, expiresAt: row!.expires.toISOString() }
  setFlowCookie(call, cookieOf(provider), vault.seal(JSON.stringify(state), binding(provider)))
}

/**
 * Undefined if the state is from another browser or provider, has expired, or was used before.
 * One statement decides which of several requests is the first.
 */
export async function spendState(
  call: FlowCall,
  provider: IdentityProvider,
  returned: string | undefined,
): Promise<SignInState | undefined> {
  const state = openState(call, provider)
  if (!state || returned === undefined || !digest(returned).equals(digest(state.state))) return undefined
  setFlowCookie(call, cookieOf(provider), '')
  const [first] = await call.parts.db.query(sql`insert into spent_states (id, expires_at)
    select ${digest(state.state)}, ${state.expiresAt}::timestamptz where ${state.expiresAt}::timestamptz > now()
    on conflict do nothing returning id`)
  return first && state
}

function openState(call: FlowCall, provider: IdentityProvider): SignInState | undefined {
  const cookie = flowCookie(call, cookieOf(provider))
  if (!cookie) return undefined
  try {
    return JSON.parse(call.parts.vault.open(cookie, binding(provider)))
  } catch (error) {
    if (isSealBroken(error)) return undefined
    throw error
  }
}
