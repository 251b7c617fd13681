import { ProblemError } from '@adjoin/contract/client'
import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../design/button.tsx'
import { Empty } from '../design/empty.tsx'
import { explain } from '../problem.ts'
import { useServiceState } from '../service-state.ts'
import { refusedSession } from '../session.ts'

const nothing = { title: 'Not found', detail: 'This doesn’t exist, or you don’t have access to it.', requestId: undefined }

/** A page that cannot be shown: why, and the way on. An ended session leads to signing in, and back here. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  // As it was when the refusal came: on the way to signing in the address changes under this very page.
  const [here] = useState(router.latestLocation.href)
  const boundary = useQueryErrorResetBoundary()
  const ended = refusedSession(error)
  useEffect(() => {
    if (ended) void router.navigate({ to: '/signin', search: { callbackURL: here }, replace: true })
  }, [ended, here, router])
  const again = () => {
    boundary.reset()
    reset()
    void router.invalidate()
  }
  // What could not be reached is shown as soon as it can be.
  const state = useServiceState()
  const before = useRef(state)
  useEffect(() => {
    if (before.current === 'away' && state === 'fine') again()
    before.current = state
  })
  if (ended) return null
  // An address that no slug can have names nothing, just as one that names something hidden.
  const gone = error instanceof ProblemError && (error.status === 404 || error.status === 400)
  const { title, detail, requestId } = gone ? nothing : explain(error)
  return (
    <div className="card mx-auto my-6 w-full max-w-3xl">
      <title>{`${title} · Adjoin`}</title>
      <Empty
        icon={gone ? 'search' : 'alert'}
        title={title}
        heading="h1"
        action={
          <>
            {!gone && <Button onClick={again}>Try again</Button>}
            <Button asChild look={gone ? 'plain' : 'quiet'}>
              <Link to="/">My organizations</Link>
            </Button>
          </>
        }
      >
        {detail}
        {requestId && <span className="mt-1 block text-faint text-small">Reference for support: {requestId}</span>}
      </Empty>
    </div>
  )
}
