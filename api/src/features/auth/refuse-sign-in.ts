import { type SignInError, signInErrors } from '@adjoin/contract'
import { type Refusal, refuse } from '../../refusal.ts'

/** A proved person who still cannot be let in. `error` is the word that the portal's error page knows. */
export const refuseSignIn = (error: SignInError, detail = `${signInErrors[error]}.`): never =>
  refuse('sign_in_invalid', { detail, members: { error } })

export const signInErrorOf = ({ code, details }: Refusal): SignInError => {
  const error = details.members?.error
  return typeof error === 'string' && Object.hasOwn(signInErrors, error)
    ? (error as SignInError)
    : code === 'limit_exceeded'
      ? code
      : 'identity_invalid'
}
