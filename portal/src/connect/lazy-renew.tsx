import { lazy, Suspense } from 'react'
import type { RenewOthersProps } from './renew-others.tsx'

const Lazy = lazy(() =>
  import('./renew-others.tsx').then(
    ({ RenewOthers }) => ({ default: RenewOthers }),
    () => ({ default: () => null }), // An offer that does not come is not missed.
  ),
)

/** Loaded when something was connected, and rarely more than a read. */
export const RenewOthers = (props: RenewOthersProps) => (
  <Suspense>
    <Lazy {...props} />
  </Suspense>
)
