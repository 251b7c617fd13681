import { useEffect, useState } from 'react'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icons.tsx'
import { hrefOf, judged, leaveFor } from '../destination.ts'
import { Frame } from './frame.tsx'

type ConnectedProps = {
  organization: string
  providerName: string
  connectedAccount: string | null
  returnUrl?: string | null
}

const SECONDS = 6

/** Done: what was connected with whom, and the way on. */
export const Connected = ({ organization, providerName, connectedAccount, returnUrl }: ConnectedProps) => (
  <Frame
    title="Connected"
    mark={{ icon: 'check', good: true }}
    lead={
      <p>
        {organization} now has access to {providerName}
        {connectedAccount && (
          <>
            {' '}
            with the account <strong className="wrap-anywhere text-ink">{connectedAccount}</strong>
          </>
        )}
        . We’ve let them know.
      </p>
    }
    foot={
      <p>
        To remove access later, revoke it at {providerName} or ask {organization} to remove it.
      </p>
    }
  >
    {returnUrl ? <WayBack to={returnUrl} /> : <p className="card mt-6 p-5">You’re done. You can close this page.</p>}
  </Frame>
)

/** Followed after a moment, unless one would rather stay. */
function WayBack({ to }: { to: string }) {
  const [left, setLeft] = useState<number | undefined>(SECONDS)
  useEffect(() => {
    if (left === undefined) return
    if (left === 0) return leaveFor(judged(to))
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left, to])
  const { host } = new URL(to)
  return (
    <div className="card mt-6 grid gap-3 p-5">
      <Button asChild look="primary" className="w-full">
        <a href={hrefOf(judged(to))}>
          <span className="truncate">Continue to {host}</span> <Icon name="next" />
        </a>
      </Button>
      {left !== undefined && (
        <p className="flex flex-wrap items-center justify-center gap-x-3 text-faint text-small">
          We’ll take you there in a moment.
          <Button look="quiet" size="small" onClick={() => setLeft(undefined)}>
            Stay here
          </Button>
        </p>
      )}
    </div>
  )
}
