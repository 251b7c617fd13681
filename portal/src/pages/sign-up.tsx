import type { IdentityProvider } from '@adjoin/contract/account'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { client, useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { TextField } from '../design/field.tsx'
import { Form } from '../design/form.tsx'
import { NameAndSlug } from '../design/name-and-slug.tsx'
import { leaveFor } from '../destination.ts'
import { PlainPage } from '../shell/plain-page.tsx'
import { CodeStep, useMailedTo } from './code-step.tsx'
import { ProviderSubmits, providerStart } from './provider-buttons.tsx'

type SignUpValues = {
  email: string
  name: string
  organizationName: string
  organizationSlug: string
  provider: 'magic-link' | IdentityProvider
}

export function SignUp() {
  const mailedTo = useLocation({ select: (location) => location.state.mailedTo })
  const navigate = useNavigate()
  const toCode = useMailedTo('/signup')
  const signUp = useChange(
    (values: SignUpValues) => client.signUp(values),
    ({ email, provider }) =>
      provider === 'magic-link' ? toCode(email) : leaveFor({ path: providerStart(provider, { loginHint: email }) }),
  )

  if (mailedTo)
    return (
      <PlainPage
        title="Check your email"
        lead={
          <>
            We sent an email to <strong className="wrap-anywhere font-medium text-ink">{mailedTo}</strong>. Enter the code or open the link
            within 10 minutes to create your organization.
          </>
        }
      >
        <CodeStep email={mailedTo} onBack={() => void navigate({ to: '/signup', replace: true })} />
      </PlainPage>
    )
  return (
    <PlainPage
      title="Create an organization"
      lead="You’ll be its admin. Colleagues with an email at the same domain join automatically when they sign in."
      foot={
        <>
          Already have an account?{' '}
          <Link to="/signin" className="link">
            Sign in
          </Link>
        </>
      }
    >
      <Form<SignUpValues>
        error={signUp.error}
        codes={{ slug_taken: 'organizationSlug', domain_taken: 'email', public_mailbox: 'email' }}
        busy={signUp.isPending}
        onSubmit={(values) => signUp.mutate(values)}
      >
        <TextField name="email" type="email" label="Work email" autoComplete="email" required autoFocus placeholder="ada@agency.example" />
        <TextField name="name" label="Your name" autoComplete="name" required maxLength={100} />
        <NameAndSlug
          name="organizationName"
          label="Organization name"
          slug="organizationSlug"
          under="/organizations/"
          autoComplete="organization"
        />
        <Button type="submit" name="provider" value="magic-link" look="primary" busy={signUp.isPending}>
          Email me a code
        </Button>
        <ProviderSubmits />
      </Form>
    </PlainPage>
  )
}
