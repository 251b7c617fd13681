import { useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { Icon } from './icons.tsx'
import { usePhrases } from './phrases.ts'

/** `of` tells several on one page apart for those who hear them. */
export function CopyButton({ text, label, of }: { text: string; label?: string; of?: string }) {
  const [state, setState] = useState<'ready' | 'copied' | 'refused'>('ready')
  const { copy: plain, copied, copyFailed } = usePhrases()
  useEffect(() => {
    if (state === 'ready') return
    const timer = setTimeout(() => setState('ready'), 2500)
    return () => clearTimeout(timer)
  }, [state])
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('refused'),
    )
  return (
    <Button size="small" onClick={() => void copy()}>
      <Icon name={state === 'copied' ? 'check' : 'copy'} className={state === 'copied' ? 'text-good' : ''} />
      <span aria-live="polite">
        {state === 'copied' ? copied : state === 'refused' ? copyFailed : (label ?? plain)}
        {of && <span className="sr-only"> of {of}</span>}
      </span>
    </Button>
  )
}
