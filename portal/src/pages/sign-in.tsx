import { Link, useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { client, useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { TextField } from '../design/field.tsx'
import { Form } from '../design/form.tsx'
import { absolute, placeHere } from '../destination.ts'
import { PlainPage } from '../shell/plain-page.tsx'
import { CodeStep, useMailedTo } from './code-step.tsx'
import { ProviderLinks } from './provider-buttons.tsx'

export function SignIn() {
  const callbackURL = placeHere(useSearch({ from: '/signin' }).callbackURL)
  const mailedTo = useLocation({ select: (location) => location.state.mailedTo })
  const confirm = useLocation({ select: ({ hash }) => new URLSearchParams(hash).get('confirm') })
  const navigate = useNavigate()
  const toCode = useMailedTo('/signin')
  const send = useChange(
    (email: string) => client.sendSignInLink({ email, callbackURL: absolute(callbackURL) }),
    ({ email }) => toCode(email),
  )
  const back = () => void navigate({ to: '/signin', search: (search) => search, replace: true })

  if (confirm)
    return (
      <PlainPage title="Confirm your email address" lead={<Unproved email={confirm} />}>
        <CodeStep email={confirm} callbackURL={callbackURL} onBack={back} once />
      </PlainPage>
    )
  if (mailedTo)
    return (
      <PlainPage title="Check your email" lead={<Mailed email={mailedTo} />}>
        <CodeStep email={mailedTo} callbackURL={callbackURL} onBack={back} />
      </PlainPage>
    )
  return (
    <PlainPage
      title="Sign in"
      lead="We’ll email you a link and a code. No password needed."
      foot={
        <>
          New here?{' '}
          <Link to="/signup" className="link">
            Create an organization
          </Link>
        </>
      }
    >
      <Form<{ email: string }> error={send.error} busy={send.isPending} onSubmit={({ email }) => send.mutate(email)}>
        <TextField name="email" type="email" label="Email" autoComplete="email" required autoFocus placeholder="ada@agency.example" />
        <Button type="submit" look="primary" busy={send.isPending}>
          Email me a link
        </Button>
        <ProviderLinks to={callbackURL} />
      </Form>
    </PlainPage>
  )
}

export const Mailed = ({ email }: { email: string }) => (
  <>
    If <strong className="wrap-anywhere font-medium text-ink">{email}</strong> can sign in here, an email is on its way. Enter the code or
    open the link within 10 minutes.
  </>
)

const Unproved = ({ email }: { email: string }) => (
  <>
    We couldn’t verify <strong className="wrap-anywhere font-medium text-ink">{email}</strong> with your identity provider, so we emailed
    you a code. Enter it here within 10 minutes.
  </>
)
