// Sign-in by OpenID Connect: authorization code with PKCE,
// state and nonce, against what the issuer's own discovery document names.
import type { IdentityProvider } from '@adjoin/contract'
import { identityProviders } from '@adjoin/contract'
import * as oidc from 'openid-client'
import type { Config } from '../config.ts'
import { DEFAULT_WAITS } from '../waits.ts'
import { accountOf, type ProviderAccount } from './claims.ts'
import { type Discover, discoverer, type Fetch } from './discovery.ts'
import { type FailedSignIn, type SignInStep, troubleOf } from './trouble.ts'

export type { ProviderAccount } from './claims.ts'
export type { FailedSignIn } from './trouble.ts'

/** What must come back from the provider exactly as it was sent. */
export interface SignInVisit {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}
export interface Identity {
  /** Those with a client configured. */
  readonly providers: readonly IdentityProvider[]
  begin(
    provider: IdentityProvider,
    redirectUri: string,
    loginHint: string | undefined,
  ): Promise<{ url: string; visit: SignInVisit } | FailedSignIn>
  /** `callback`: the redirect address with the parameters that the browser brought back. */
  finish(provider: IdentityProvider, callback: URL, visit: SignInVisit): Promise<{ account: ProviderAccount } | FailedSignIn>
}

/** Tokens from the future are refused; clocks may differ this much. */
const SKEW_SECONDS = 60

export function createIdentity(
  { identity, environment }: Pick<Config, 'identity' | 'environment'>,
  fetch: Fetch = globalThis.fetch,
  waitMs = DEFAULT_WAITS.identity,
): Identity {
  const discover = new Map<IdentityProvider, Discover>()
  for (const provider of identityProviders) {
    const client = identity[provider]
    if (client) discover.set(provider, discoverer(client, environment, fetch, waitMs))
  }
  const configuration = (provider: IdentityProvider) => {
    const found = discover.get(provider)
    if (!found) throw new Error(`${provider} has no client configured`)
    return found()
  }

  return {
    providers: [...discover.keys()],

    async begin(provider, redirectUri, loginHint) {
      try {
        const visit = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() }
        const url = oidc.buildAuthorizationUrl(await configuration(provider), {
          redirect_uri: redirectUri,
          scope: 'openid email profile',
          state: visit.state,
          nonce: visit.nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(visit.verifier),
          code_challenge_method: 'S256',
          ...(loginHint && { login_hint: loginHint }),
        })
        return { url: url.href, visit }
      } catch (error) {
        return { ...troubleOf(error, 'discovery'), failed: 'provider_unavailable' }
      }
    },

    async finish(provider, callback, visit) {
      let step: SignInStep = 'discovery'
      try {
        const issuer = await configuration(provider)
        step = 'exchange'
        const tokens = await oidc.authorizationCodeGrant(issuer, callback, {
          expectedState: visit.state,
          expectedNonce: visit.nonce,
          pkceCodeVerifier: visit.verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()!
        if (claims.iat > Date.now() / 1000 + SKEW_SECONDS)
          return { failed: 'identity_invalid', step, why: 'the ID token is from the future' }
        const account = accountOf(provider, claims)
        return account ? { account } : { failed: 'identity_invalid', step, why: 'the ID token does not name an account' }
      } catch (error) {
        return troubleOf(error, step)
      }
    },
  }
}
