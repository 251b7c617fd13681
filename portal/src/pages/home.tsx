import { useQuery } from '@tanstack/react-query'
import { read } from '../api.ts'
import { SkeletonPage } from '../design/skeleton.tsx'
import { maybeSignedIn, refusedSession } from '../session.ts'
import { RouteError } from '../shell/route-error.tsx'
import { Shell } from '../shell/shell.tsx'
import { Landing } from './landing.tsx'
import { Organizations } from './organizations.tsx'

/** Signed out: what this is. Signed in: one's organizations, or straight into the only one. */
export function Home() {
  const known = maybeSignedIn()
  const list = useQuery({ ...read('listOrganizations'), enabled: known })
  if (!known || refusedSession(list.error)) return <Landing />
  const organizations = list.data?.organizations
  return (
    <Shell>
      {organizations ? <Organizations organizations={organizations} /> : <Wait error={list.error} retry={() => list.refetch()} />}
    </Shell>
  )
}

const Wait = ({ error, retry }: { error: Error | null; retry: () => unknown }) => (
  <div className="mx-auto max-w-3xl px-4 py-8 sm:px-6">
    {error ? <RouteError error={error} reset={() => void retry()} /> : <SkeletonPage />}
  </div>
)
