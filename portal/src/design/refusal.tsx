import { useEffect, useRef } from 'react'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'
import { usePhrases } from './phrases.ts'

/** Why something that was sent was not done. It takes the focus: whoever sent it looks elsewhere, or looks at nothing. */
export function Refusal({ error }: { error: unknown }) {
  const { explain, isSignedOut } = usePhrases()
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever there is another one
  useEffect(() => box.current?.focus(), [error])
  return (
    <div ref={box} tabIndex={-1} className="scroll-mt-20 rounded-base outline-offset-0">
      {isSignedOut(error) ? (
        <Notice tone="bad" title="Your session has ended" detail="Sign in again, then come back and retry. What you typed stays here.">
          <SignInAgain />
        </Notice>
      ) : (
        <Notice tone="bad" {...explain(error)} />
      )}
    </div>
  )
}

/** In another tab, so that nothing on this page is lost. */
export const SignInAgain = () => (
  <Button asChild size="small">
    <a href="/signin" target="_blank" rel="noreferrer">
      Sign in again
    </a>
  </Button>
)
