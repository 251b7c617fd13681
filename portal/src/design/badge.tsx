import type { ReactNode } from 'react'
import type { Tone } from './notice.tsx'

const looks: Record<Tone | 'quiet', string> = {
  quiet: 'bg-sunken text-soft',
  info: 'bg-accent-tint text-accent',
  good: 'bg-good-tint text-good',
  warn: 'bg-warn-tint text-warn',
  bad: 'bg-bad-tint text-bad',
}

export const Badge = ({ tone = 'quiet', children }: { tone?: Tone | 'quiet'; children: ReactNode }) => (
  <span
    className={`inline-flex items-center gap-1.5 whitespace-nowrap rounded-small px-1.5 font-medium text-tiny leading-5 ${looks[tone]}`}
  >
    {children}
  </span>
)
