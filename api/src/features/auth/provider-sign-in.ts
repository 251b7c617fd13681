import type { IdentityProvider, SignInError } from '@adjoin/contract'
import { trustedUrl } from '@adjoin/contract/trusted-url'
import type { Call, Handler } from '../../call.ts'
import type { Config } from '../../config.ts'
import type { FailedSignIn } from '../../identity/index.ts'
import { Refusal, refuse } from '../../refusal.ts'
import { checkedCallback } from './callback-url.ts'
import { signInErrorOf } from './refuse-sign-in.ts'
import { signInByProvider } from './sign-in-by-provider.ts'
import { saveState, spendState } from './sign-in-state.ts'

export const startProviderSignIn: Handler<'startProviderSignIn'> = async (call) => {
  const { parts, query } = call
  const provider = configuredProvider(call)
  const callbackURL = checkedCallback(query.callbackURL, parts.config)
  const begun = await parts.identity.begin(provider, redirectUri(parts.config, provider), query.loginHint)
  if ('failed' in begun) return errorRedirect(call, begun.failed, begun)
  await saveState(call, provider, begun.visit, callbackURL)
  return { location: begun.url }
}

export const finishProviderSignIn: Handler<'finishProviderSignIn'> = async (call) => {
  const { parts, query } = call
  const provider = configuredProvider(call)
  const state = await spendState(call, provider, query.state)
  if (!state)
    return errorRedirect(call, 'state_invalid', { step: 'state', why: 'the sign-in state is from another browser, or no longer valid' })
  const finished = await parts.identity.finish(provider, callbackUrl(call, provider), state)
  if ('failed' in finished) return errorRedirect(call, finished.failed, finished)
  // Checked again: the origins we trust may have changed while the person was away.
  const landing = (state.callbackURL && trustedUrl(state.callbackURL, parts.config)) ?? `${parts.config.publicUrl}/`
  try {
    return { location: await signInByProvider(call, finished.account, landing) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return errorRedirect(call, signInErrorOf(error), { step: 'account', why: error.code })
  }
}

type ProviderCall = Call<'startProviderSignIn' | 'finishProviderSignIn'>

function configuredProvider({ parts, params }: ProviderCall): IdentityProvider {
  return parts.identity.providers.includes(params.provider) ? params.provider : refuse('not_found')
}

/** Each provider has a callback of its own: an answer of one can never be taken for the other's. */
const redirectUri = ({ publicUrl }: Config, provider: IdentityProvider) => `${publicUrl}/v1/auth/${provider}/callback`

function callbackUrl({ parts, query }: Call<'finishProviderSignIn'>, provider: IdentityProvider): URL {
  const url = new URL(redirectUri(parts.config, provider))
  for (const [name, value] of Object.entries(query)) for (const one of [value].flat()) url.searchParams.append(name, String(one))
  return url
}

/** `step`: also the state that the browser must bring back, and the account here that the person has or may have. */
type LoggedTrouble = Omit<FailedSignIn, 'failed' | 'step'> & { readonly step: FailedSignIn['step'] | 'state' | 'account' }

function errorRedirect({ parts, params }: ProviderCall, code: SignInError, trouble: LoggedTrouble): { location: string } {
  const { step, why, vendorError, vendorCode, vendorStatus } = trouble
  parts.log.warn(
    { provider: params.provider, step, error: code, why, vendorError, vendorCode, vendorStatus },
    'sign-in with an identity provider failed',
  )
  return { location: `${parts.config.publicUrl}/error?code=${code}` }
}
