import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { leaveFor } from '../destination.ts'
import { Waiting } from './frame.tsx'

type ResultProps = { result: string }

/** Access was given: the page of the result says so, if this one can't. */
function Elsewhere({ result }: ResultProps) {
  useEffect(() => leaveFor({ path: `/connect/result#${result}` }, 'replace'), [result])
  return <Waiting />
}

const Lazy = lazy<(props: ResultProps) => ReactNode>(() =>
  import('./result-page.tsx').then(
    ({ Result }) => ({ default: Result }),
    () => ({ default: Elsewhere }),
  ),
)

/** Loaded once access was given: what it is, and what is missing. */
export const Result = (props: ResultProps) => (
  <Suspense fallback={<Waiting />}>
    <Lazy {...props} />
  </Suspense>
)
