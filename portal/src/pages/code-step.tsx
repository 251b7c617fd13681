import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { client, useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { CodeField } from '../design/code-field.tsx'
import { Form } from '../design/form.tsx'
import { Notice } from '../design/notice.tsx'
import { absolute, here } from '../destination.ts'
import { explain, seconds } from '../problem.ts'
import { useSignedIn } from './signed-in.tsx'

type CodeStepProps = {
  email: string
  callbackURL?: string | undefined
  onBack: () => void
  /** The code belongs to what was begun: a new one would not. */
  once?: boolean
}

/** The code of the mail, typed where one stands; the link of the same mail does the same in any browser. */
export function CodeStep({ email, callbackURL, onBack, once }: CodeStepProps) {
  const finish = useSignedIn(here(callbackURL))
  const verify = useChange((code: string) => client.verifySignIn({ email, code }), finish)
  return (
    <Form<{ code: string }>
      error={verify.error}
      codes={{ sign_in_invalid: 'code' }}
      busy={verify.isPending}
      onSubmit={({ code }) => verify.mutate(code)}
    >
      <CodeField onComplete={(code) => verify.mutate(code)} />
      <Button type="submit" look="primary" busy={verify.isPending}>
        Sign in
      </Button>
      {once ? (
        <Button size="small" look="quiet" onClick={onBack}>
          Start over
        </Button>
      ) : (
        <Resend email={email} callbackURL={callbackURL} onBack={onBack} />
      )}
    </Form>
  )
}

function Resend({ email, callbackURL, onBack }: CodeStepProps) {
  const [wait, setWait] = useState(0)
  const send = useChange(() => client.sendSignInLink({ email, callbackURL: absolute(callbackURL) }))
  const counting = wait > 0
  useEffect(() => {
    if (!counting) return
    const timer = setInterval(() => setWait((left) => left - 1), 1000)
    return () => clearInterval(timer)
  }, [counting])
  const again = () =>
    send.mutate(undefined, {
      // Three mails a minute are sent to an address;
      // a short pause keeps people from spending them on one mail under way.
      onSuccess: () => setWait(20),
      onError: (error) => setWait(('retryAfter' in error && Number(error.retryAfter)) || 0),
    })
  return (
    <div className="grid gap-3 border-line border-t pt-4">
      {send.isSuccess && <Notice tone="good" title="Email sent" detail="Use the code in the newest email. Earlier codes no longer work." />}
      {send.isError && <Notice tone="bad" {...explain(send.error)} />}
      <p className="text-faint text-small">Nothing after a minute? Check your spam folder, or send the email again.</p>
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={again} busy={send.isPending} disabled={counting}>
          {counting ? `Send again in ${seconds(wait)}` : 'Send again'}
        </Button>
        <Button size="small" look="quiet" onClick={onBack}>
          Use another email
        </Button>
      </div>
    </div>
  )
}

/**
 * Where the code is typed: kept in the history entry,
 * so that a reload on the way to the mail and back loses nothing.
 */
export function useMailedTo(from: '/signin' | '/signup') {
  const navigate = useNavigate()
  return (email: string) => navigate({ to: from, search: (search) => search, state: { mailedTo: email } })
}
