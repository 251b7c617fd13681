import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import type { ChooseAccountProps } from './choose-account.tsx'
import { Waiting } from './frame.tsx'

/** A question that does not come keeps nobody: the agency can choose as well. */
function Skipped({ onSkip }: ChooseAccountProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(onSkip, [])
  return null
}

const Lazy = lazy<(props: ChooseAccountProps) => ReactNode>(() =>
  import('./choose-account.tsx').then(
    ({ ChooseAccount }) => ({ default: ChooseAccount }),
    () => ({ default: Skipped }),
  ),
)

/** Loaded where an account must be chosen: most clients never need it. */
export const ChooseAccount = (props: ChooseAccountProps) => (
  <Suspense fallback={<Waiting />}>
    <Lazy {...props} />
  </Suspense>
)
