import { useEffect, useState } from 'react'
import { Button, type ButtonProps } from './button.tsx'
import { Icon } from './icons.tsx'

type CopyButtonProps = { text: string; label?: string; of?: string; look?: ButtonProps['look']; onCopied?: () => void }

/** `of` tells several on one page apart for those who hear them. */
export function CopyButton({ text, label = 'Copy', of, look = 'plain', onCopied }: CopyButtonProps) {
  const [state, setState] = useState<'ready' | 'copied' | 'refused'>('ready')
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
        {state === 'copied' ? 'Copied' : state === 'refused' ? 'Couldn’t copy: select the text instead' : label}
        {of && <span className="sr-only"> of {of}</span>}
      </span>
    </Button>
  )
}
