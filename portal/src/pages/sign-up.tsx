import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client, useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { TextField } from '../design/field.tsx'
import { Form } from '../design/form.tsx'
import { slugOf } from '../format.ts'
import { PlainPage } from '../shell/plain-page.tsx'
import { CodeStep, useMailedTo } from './code-step.tsx'

type Values = { email: string; name: string; organizationName: string; organizationSlug: string }

export function SignUp() {
  const mailedTo = useLocation({ select: (location) => location.state.mailedTo })
  const navigate = useNavigate()
  const toCode = useMailedTo('/signup')
  const signUp = useChange(
    (values: Values) => client.signUp({ ...values, provider: 'magic-link' }),
    ({ email }) => toCode(email),
  )

  if (mailedTo)
    return (
      <PlainPage
        title="Check your mail"
        lead={
          <>
            We have written to <strong className="wrap-anywhere font-medium text-ink">{mailedTo}</strong>. Type the code of the mail, or
            open its link, and your organization is created.
          </>
        }
      >
        <CodeStep email={mailedTo} onBack={() => void navigate({ to: '/signup', replace: true })} />
      </PlainPage>
    )
  return (
    <PlainPage
      title="Create an organization"
      lead="You become its admin. Colleagues with an address of the same domain join by signing in."
      foot={
        <>
          Already here?{' '}
          <Link to="/signin" className="link">
            Sign in
          </Link>
        </>
      }
    >
      <Form<Values>
        error={signUp.error}
        codes={{ slug_taken: 'organizationSlug', domain_taken: 'email', public_mailbox: 'email' }}
        busy={signUp.isPending}
        onSubmit={(values) => signUp.mutate(values)}
      >
        <TextField name="email" type="email" label="Work email" autoComplete="email" required autoFocus placeholder="ada@agency.example" />
        <TextField name="name" label="Your name" autoComplete="name" required maxLength={100} />
        <Organization />
        <Button type="submit" look="primary" busy={signUp.isPending}>
          Mail me a code
        </Button>
      </Form>
    </PlainPage>
  )
}

/** The slug follows the name until one writes it oneself. */
function Organization() {
  const [name, setName] = useState('')
  const [written, setWritten] = useState<string>()
  const slug = written ?? slugOf(name)
  return (
    <>
      <TextField
        name="organizationName"
        label="Organization"
        autoComplete="organization"
        required
        maxLength={100}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        name="organizationSlug"
        label="Slug"
        help={
          <>
            The name in addresses, which never changes: <span className="wrap-anywhere font-mono">/organizations/{slug || '…'}</span>
          </>
        }
        className="font-mono"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        required
        maxLength={63}
        pattern="[a-z0-9][a-z0-9\-]*"
        title="Use lower-case letters, digits and dashes, starting with a letter or digit."
        value={slug}
        onChange={(event) => setWritten(event.target.value || undefined)}
      />
    </>
  )
}
