import { Link, useSearch } from '@tanstack/react-router'
import { Button } from '../design/button.tsx'
import { PlainPage } from '../shell/plain-page.tsx'

/** Our sentences for the codes a failed browser flow lands with. The address is anyone's to write, so its text is never shown. */
const sentences: Record<string, [title: string, lead: string]> = {
  access_denied: ['Sign-in was canceled', 'The identity provider did not give us access. Sign in again if that was not what you wanted.'],
  account_unknown: [
    'There is no account for this address',
    'Its domain belongs to no organization here and nobody has invited it. Sign up to create an organization, or ask a colleague to invite you.',
  ],
  email_unverified: [
    'This address is not proved',
    'The identity provider does not vouch for it. Sign in by mail instead: a code proves that it is yours.',
  ],
  state_invalid: ['Sign-in took too long', 'The attempt has expired or was started in another browser. Start again here.'],
  provider_unavailable: ['The identity provider cannot be reached', 'Try again in a few minutes, or sign in by mail.'],
  not_found: ['This way of signing in is not set up', 'Sign in by mail instead.'],
}
const fallback: [string, string] = [
  'That did not work',
  'Something went wrong on the way. Nothing was changed. Start again, or sign in by mail.',
]

export function BrowserFlowError() {
  const { code } = useSearch({ from: '/error' })
  const [title, lead] = (code && Object.hasOwn(sentences, code) && sentences[code]) || fallback
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
