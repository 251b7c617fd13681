import { Icon, Spinner } from '../design/icons.tsx'
import { useServiceState } from '../service-state.ts'
import { SignInAgain } from './sign-in-again.tsx'

/** That what is on the page may be out of date, for as long as it may. */
export function ServiceBanner() {
  const state = useServiceState()
  return (
    <div role="status">
      {state !== 'fine' && (
        <div className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1.5 border-line border-b bg-warn-tint px-4 py-2 text-warn">
          {state === 'away' ? <Spinner /> : <Icon name="alert" />}
          <span className="text-ink">
            {state === 'away' ? (
              <>
                <strong className="font-medium">We can’t reach Adjoin.</strong> This page may be out of date. Retrying automatically.
              </>
            ) : (
              <>
                <strong className="font-medium">Your session has ended.</strong> What is on this page stays until you leave it.
              </>
            )}
          </span>
          {state === 'signed-out' && <SignInAgain />}
        </div>
      )}
    </div>
  )
}
