import type { Output } from '@adjoin/contract/operations'
import { aRole } from '@adjoin/contract/roles'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { client, queryClient, read, useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Notice } from '../design/notice.tsx'
import { Skeleton } from '../design/skeleton.tsx'
import { Time } from '../design/time.tsx'
import { explain } from '../problem.ts'
import { forgetSession, maybeSignedIn } from '../session.ts'
import { PlainPage } from '../shell/plain-page.tsx'
import { useToken } from '../token.ts'
import { useInvitationAnswer } from './my-invitations.tsx'

type InvitationOffer = Output<'getInvitation'>

const KEPT = 'adjoin.invitation'

/**
 * Where a mailed invitation lands.
 * The token is kept for the way through signing in, out of every address but its own.
 */
export function Invitation() {
  const fresh = useToken()
  const token = fresh ?? sessionStorage.getItem(KEPT) ?? undefined
  useEffect(() => {
    if (fresh) sessionStorage.setItem(KEPT, fresh)
  }, [fresh])
  const offer = useQuery({ ...read('getInvitation', { token: token ?? '' }), enabled: token !== undefined })
  if (!token) return <Unusable lead="Open the link in your invitation email again." />
  if (offer.error)
    return (
      <Unusable lead="The link is incomplete, or the invitation was canceled. Check that you copied the whole link, or ask the person who invited you for a new one." />
    )
  if (!offer.data)
    return (
      <PlainPage title="Invitation" lead="Loading your invitation…">
        <div className="grid gap-4" role="status" aria-label="Loading">
          <Skeleton className="h-5 w-2/3" />
          <Skeleton className="h-9" />
        </div>
      </PlainPage>
    )
  return <Offered offer={offer.data} />
}

const closed: Record<Exclude<InvitationOffer['status'], 'pending'>, string> = {
  accepted: 'It was already accepted. Sign in to open the organization.',
  declined: 'It was declined. If that was a mistake, ask the person who invited you for a new one.',
  canceled: 'It was canceled. Ask the person who invited you for a new one.',
  expired: 'It has expired. Ask the person who invited you to send it again. This link will then work.',
}

function Offered({ offer }: { offer: InvitationOffer }) {
  const { organization, workspace, role, status, inviterName, email, expiresAt } = offer
  const session = useQuery({ ...read('getSession'), enabled: maybeSignedIn() })
  if (status !== 'pending') return <Unusable lead={closed[status]} />
  const place = workspace ? `${workspace.name} (${organization.name})` : organization.name
  return (
    <PlainPage
      title={`Join ${place}`}
      lead={`${inviterName} invited you as ${aRole(workspace?.role ?? role)}${workspace ? ' of this workspace' : ''}.`}
    >
      <div className="grid gap-4">
        <p>
          The invitation is for <strong className="wrap-anywhere font-medium">{email}</strong> and expires <Time at={expiresAt} />.
        </p>
        {session.data ? (
          <Answer offer={offer} me={session.data.user.email} />
        ) : (
          <Button asChild look="primary">
            <Link to="/signin" search={{ callbackURL: '/invitation' }}>
              Sign in with this email
            </Link>
          </Button>
        )}
      </div>
    </PlainPage>
  )
}

function Answer({ offer, me }: { offer: InvitationOffer; me: string }) {
  const { accept, decline, error, busy } = useInvitationAnswer()
  const navigate = useNavigate()
  const change = useChange(
    () => client.signOut(),
    async () => {
      forgetSession()
      queryClient.clear()
      await navigate({ to: '/signin', search: { callbackURL: '/invitation' } })
    },
  )
  const foreign = error && 'status' in error && error.status === 404
  if (foreign)
    return (
      <Notice
        tone="warn"
        title="This invitation is for another email address"
        detail={`You’re signed in as ${me}. Sign in with the email address that was invited.`}
      >
        <Button size="small" busy={change.isPending} onClick={() => change.mutate()}>
          Sign in with another email
        </Button>
      </Notice>
    )
  return (
    <>
      {error && <Notice tone="bad" {...explain(error)} />}
      <div className="grid grid-cols-2 gap-2.5">
        <Button disabled={busy} onClick={() => decline.mutate(offer.id, { onSuccess: () => void navigate({ to: '/' }) })}>
          Decline
        </Button>
        <Button look="primary" busy={busy} onClick={() => accept.mutate(offer.id, { onSuccess: () => sessionStorage.removeItem(KEPT) })}>
          Accept
        </Button>
      </div>
      <p className="text-faint text-small">You’re signed in as {me}.</p>
    </>
  )
}

const Unusable = ({ lead }: { lead: string }) => (
  <PlainPage title="This invitation can’t be used" lead={lead}>
    <Button asChild look="primary" className="w-full">
      <Link to="/">Go to the start page</Link>
    </Button>
  </PlainPage>
)
