import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import type { FillInProps } from './fill-in.tsx'
import { Waiting } from './frame.tsx'

/** A question that does not come keeps nobody: the agency can answer it as well. */
function Skipped({ onSkip }: FillInProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(onSkip, [])
  return null
}

const Lazy = lazy<(props: FillInProps) => ReactNode>(() =>
  import('./fill-in.tsx').then(
    ({ FillIn }) => ({ default: FillIn }),
    () => ({ default: Skipped }),
  ),
)

/** Loaded where a setting is missing: most clients never need it. */
export const FillIn = (props: FillInProps) => (
  <Suspense fallback={<Waiting />}>
    <Lazy {...props} />
  </Suspense>
)
