import { useEffect, useRef } from 'react'
import { Notice } from './notice.tsx'
import { usePhrases } from './phrases.ts'

/** Why something that was sent was not done. It takes the focus: the person who sent it may look elsewhere, or not see the page at all. */
export function Refusal({ error }: { error: unknown }) {
  const { explain, nextStep } = usePhrases()
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever there is another one
  useEffect(() => box.current?.focus(), [error])
  return (
    <div ref={box} tabIndex={-1} className="scroll-mt-20 rounded-base outline-offset-0">
      <Notice tone="bad" {...explain(error)}>
        {nextStep?.(error)}
      </Notice>
    </div>
  )
}
