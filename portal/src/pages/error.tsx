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
  access_denied: ['Sign-in was canceled', 'The identity provider did not give us access. Sign in again if that was not what you wanted.'],
  account_unknown: [
    'There is no account for this address',
    'Its domain belongs to no organization here and nobody has invited it. Sign up to create an organization, or ask a colleague to invite you.',
  ],
  email_missing: ['Your address is missing', 'The identity provider did not tell us your address. Sign in by mail instead.'],
  identity_conflict: [
    'This address has another account at that provider',
    'Sign in with the account you used before, or by mail: that works whatever happens at the provider.',
  ],
  identity_invalid: [
    'The identity provider’s answer cannot be trusted',
    'Nothing was changed. Sign in by mail instead, and tell your operator.',
  ],
  limit_exceeded: [
    'Too many attempts',
    'There were too many sign-ins from your network, or too many mails to your address. Wait a few minutes, then try again.',
  ],
  provider_unavailable: ['The identity provider cannot be reached', 'Try again in a few minutes, or sign in by mail.'],
  state_invalid: ['Sign-in took too long', 'The attempt has expired or was started in another browser. Start again here.'],
}

/** For clients who came by a connect link: they have no account, so they are not asked to sign in. */
const connect: Record<ConnectError, ErrorSentence> = {
  connect_state_invalid: ['That took too long', 'The attempt has expired or was already used. Open the connect link again and start over.'],
  connect_failed: [
    'That did not work',
    'Something went wrong on our side, and nothing was changed. Open the connect link again and start over.',
  ],
  connect_limit_exceeded: [
    'Too many attempts',
    'Too many people connected from your network within a minute. Wait a minute, then open the connect link again.',
  ],
  connect_link_gone: [
    'This connect link no longer works',
    'It was used, replaced or withdrawn meanwhile. Ask the agency that sent it for a new one.',
  ],
}

const fallback: ErrorSentence = [
  'That did not work',
  'Something went wrong on the way. Nothing was changed. Start again, or sign in by mail.',
]

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
