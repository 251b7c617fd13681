import { useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { Icon } from './icons.tsx'

/** `of` tells several on one page apart for those who hear them. */
export function CopyButton({ text, label = 'Copy', of }: { text: string; label?: string; of?: string }) {
  const [state, setState] = useState<'ready' | 'copied' | 'refused'>('ready')
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
        {state === 'copied' ? 'Copied' : state === 'refused' ? 'Couldn’t copy: select the text instead' : label}
        {of && <span className="sr-only"> of {of}</span>}
      </span>
    </Button>
  )
}
