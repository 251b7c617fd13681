import { useEffect, useState } from 'react'
import { Button, type ButtonProps } from './button.tsx'
import { Icon } from './icons.tsx'
import { usePhrases } from './phrases.ts'

type CopyButtonProps = { text: string; label?: string; of?: string; look?: ButtonProps['look']; onCopied?: () => void }

/** `of` tells several on one page apart for those who hear them. */
export function CopyButton({ text, label, of, look = 'plain', onCopied }: CopyButtonProps) {
  const [state, setState] = useState<'ready' | 'copied' | 'refused'>('ready')
  const { copy: plain, copied, copyFailed } = usePhrases()
  useEffect(() => {
    if (state === 'ready') return
    const timer = setTimeout(() => setState('ready'), 2500)
    return () => clearTimeout(timer)
  }, [state])
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => {
        setState('copied')
        onCopied?.()
      },
      () => setState('refused'),
    )
  return (
    <Button size="small" look={look} onClick={() => void copy()}>
      <Icon name={state === 'copied' ? 'check' : 'copy'} className={state === 'copied' && look === 'plain' ? 'text-good' : ''} />
      <span aria-live="polite">
        {state === 'copied' ? copied : state === 'refused' ? copyFailed : (label ?? plain)}
        {of && <span className="sr-only"> of {of}</span>}
      </span>
    </Button>
  )
}
