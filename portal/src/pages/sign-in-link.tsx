import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { client, read, useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Notice } from '../design/notice.tsx'
import { Skeleton } from '../design/skeleton.tsx'
import { Time } from '../design/time.tsx'
import { judged } from '../destination.ts'
import { explain } from '../problem.ts'
import { PlainPage } from '../shell/plain-page.tsx'
import { useToken } from '../token.ts'
import { useSignedIn } from './signed-in.tsx'

/** Where the mailed link lands. Looking changes nothing, however many scanners do; only a click signs in. */
export function SignInLink() {
  const token = useToken()
  const link = useQuery({
    ...read('getSignInLink', { token: token ?? '' }),
    enabled: token !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const finish = useSignedIn(judged(link.data?.callbackURL))
  const verify = useChange((completeSignUp: boolean) => client.verifySignIn({ token: token!, completeSignUp }), finish)

  if (!token || link.error || verify.error) return <Unusable error={verify.error ?? link.error} />
  if (!link.data)
    return (
      <PlainPage title="Sign in" lead="Loading…">
        <div className="grid gap-4" role="status" aria-label="Loading">
          <Skeleton className="h-5 w-2/3" />
          <Skeleton className="h-9" />
        </div>
      </PlainPage>
    )
  const { email, organization, expiresAt } = link.data
  return (
    <PlainPage title={organization ? `Create ${organization.name}` : 'Sign in'} lead={<Who email={email} />}>
      <div className="grid gap-4">
        {organization && (
          <p>
            Signing in creates the organization <strong className="font-semibold">{organization.name}</strong> (
            <span className="wrap-anywhere font-mono text-small">{organization.slug}</span>) with you as its admin.
          </p>
        )}
        <div className="grid gap-2.5">
          <Button look="primary" busy={verify.isPending} onClick={() => verify.mutate(true)}>
            {organization ? 'Sign in and create it' : 'Sign in'}
          </Button>
          {organization && (
            <Button disabled={verify.isPending} onClick={() => verify.mutate(false)}>
              Sign in without creating it
            </Button>
          )}
        </div>
        <p className="text-faint text-small">
          {organization && 'If you didn’t ask for this organization, sign in without creating it. '}
          The link works once and expires <Time at={expiresAt} />.
        </p>
      </div>
    </PlainPage>
  )
}

const Who = ({ email }: { email: string }) => (
  <>
    You’re about to sign in as <strong className="wrap-anywhere font-medium text-ink">{email}</strong>.
  </>
)

function Unusable({ error }: { error: Error | null }) {
  const { title, detail } = explain(error)
  const refused = error === null || ('status' in error && (error.status === 404 || error.status === 401))
  return (
    <PlainPage title="This link can’t be used" lead="Sign-in links work once and expire after 10 minutes. Request a new one.">
      <div className="grid gap-4">
        {!refused && <Notice tone="bad" title={title} detail={detail} />}
        <Button asChild look="primary">
          <Link to="/signin">Email me a new link</Link>
        </Button>
      </div>
    </PlainPage>
  )
}
