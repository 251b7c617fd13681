import type { ReactNode } from 'react'
import { Icon, type IconName } from './icons.tsx'
import { usePhrases } from './phrases.ts'

export type Tone = 'info' | 'good' | 'warn' | 'bad'
const looks: Record<Tone, [IconName, string]> = {
  info: ['info', 'bg-accent-tint text-accent'],
  good: ['check', 'bg-good-tint text-good'],
  warn: ['alert', 'bg-warn-tint text-warn'],
  bad: ['alert', 'bg-bad-tint text-bad'],
}

type NoticeProps = { tone?: Tone; title: string; detail?: ReactNode; requestId?: string | undefined; children?: ReactNode }

/** A message above or within a page. An icon shows its kind too: colour alone is not enough. */
export function Notice({ tone = 'info', title, detail, requestId, children }: NoticeProps) {
  const [icon, look] = looks[tone]
  const { reference } = usePhrases()
  return (
    <div className={`flex gap-2.5 rounded-base px-3.5 py-3 ${look}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon name={icon} className="mt-[3px]" />
      <div className="grid min-w-0 gap-0.5">
        <p className="font-medium">{title}</p>
        {detail && <p className="text-ink">{detail}</p>}
        {requestId && <p className="text-small text-soft">{reference(requestId)}</p>}
        {children && <div className="mt-2 flex flex-wrap gap-2 empty:hidden">{children}</div>}
      </div>
    </div>
  )
}
