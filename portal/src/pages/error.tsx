import type { ConnectError, SignInError } from '@adjoin/contract/sign-in-errors'
import { Link, useSearch } from '@tanstack/react-router'
import { Button } from '../design/button.tsx'
import { PlainPage } from '../shell/plain-page.tsx'

type ErrorSentence = [title: string, lead: string]

/**
 * Our sentences for the codes a failed browser flow lands with.
 * The address is anyone's to write, so its text is never shown.
 */
const signIn: Record<SignInError, ErrorSentence> = {
  access_denied: ['Sign-in was canceled', 'You were not signed in. If that wasn’t what you wanted, sign in again.'],
  account_unknown: ['There is no account for this email address', 'Sign up to create an organization, or ask a colleague to invite you.'],
  email_missing: ['We didn’t get your email address', 'The identity provider didn’t share it with us. Sign in by email instead.'],
  identity_conflict: [
    'This email address belongs to another account',
    'You used a different account at this provider before. Sign in with that one, or by email.',
  ],
  identity_invalid: [
    'We couldn’t verify your sign-in',
    'The identity provider’s response was not valid. Sign in by email instead, and let your Adjoin operator know.',
  ],
  limit_exceeded: [
    'Too many attempts',
    'There were too many sign-ins from your network or too many emails to your address. Wait a few minutes, then try again.',
  ],
  provider_unavailable: ['The identity provider is temporarily unavailable', 'Try again in a few minutes, or sign in by email.'],
  state_invalid: ['Sign-in took too long', 'It expired, or was started in another browser. Sign in again here.'],
}

/** For clients who came by a connect link: they have no account, so they are not asked to sign in. */
const connect: Record<ConnectError, ErrorSentence> = {
  connect_state_invalid: ['That took too long', 'Your sign-in expired or was already used. Open the connect link again and start over.'],
  connect_failed: [
    'That didn’t work',
    'Something went wrong on our side. Nothing was connected. Open the connect link again and start over.',
  ],
  connect_limit_exceeded: [
    'Too many attempts',
    'There were too many attempts from your network. Wait a minute, then open the connect link again.',
  ],
  connect_link_gone: [
    'This connect link no longer works',
    'It was already used, replaced or canceled. Ask the person who sent it for a new link.',
  ],
}

const fallback: ErrorSentence = ['Something went wrong', 'You were not signed in. Try again, or sign in by email.']

const find = (table: Record<string, ErrorSentence>, code: string | undefined) =>
  code && Object.hasOwn(table, code) ? table[code] : undefined

export function BrowserFlowError() {
  const { code } = useSearch({ from: '/error' })
  const connecting = find(connect, code)
  const [title, lead] = connecting ?? find(signIn, code) ?? fallback
  if (connecting) return <PlainPage title={title} lead={lead} />
  return (
    <PlainPage title={title} lead={lead}>
      <div className="grid gap-2.5">
        <Button asChild look="primary">
          <Link to="/signin">Sign in</Link>
        </Button>
        <Button asChild>
          <Link to="/signup">Sign up</Link>
        </Button>
      </div>
    </PlainPage>
  )
}
