import { Badge } from '../design/badge.tsx'
import type { Tone } from '../design/notice.tsx'

const tones: Record<string, Tone | 'quiet'> = { GET: 'info', POST: 'good', PATCH: 'warn', PUT: 'warn', DELETE: 'bad' }
const colors: Record<string, string> = { GET: 'text-accent', POST: 'text-good', PATCH: 'text-warn', PUT: 'text-warn', DELETE: 'text-bad' }

/** What a request does, by colour and by word. */
export const Method = ({ method, short }: { method: string; short?: boolean }) =>
  short ? (
    <span className={`w-8 shrink-0 font-mono font-semibold text-[0.625rem] ${colors[method] ?? 'text-soft'}`}>
      {method === 'DELETE' ? 'DEL' : method}
    </span>
  ) : (
    <Badge tone={tones[method] ?? 'quiet'}>{method}</Badge>
  )
