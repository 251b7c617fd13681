import type { ReactNode } from 'react'
import { explain } from '../problem.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'
import { Skeleton } from './skeleton.tsx'

type Query<Data> = { data: Data | undefined; error: Error | null; refetch: () => unknown }

/** A part of a page that is read on its own: its wait and its trouble stay in its place. */
export function Loaded<Data>({ query, children }: { query: Query<Data>; children: (data: Data) => ReactNode }) {
  if (query.data !== undefined) return children(query.data)
  if (query.error)
    return (
      <div className="p-5">
        <Notice tone="bad" {...explain(query.error)}>
          <Button size="small" onClick={() => void query.refetch()}>
            Try again
          </Button>
        </Notice>
      </div>
    )
  return (
    <div className="grid gap-4 p-5" role="status">
      <span className="sr-only">Loading…</span>
      <Skeleton />
      <Skeleton className="h-4 w-3/4" />
      <Skeleton className="h-4 w-1/2" />
    </div>
  )
}
