import type { ApiKey } from '../api.ts'
import { Badge } from '../design/badge.tsx'
import { exactTime, fromNow } from '../format.ts'
import { endOf } from '../key-words.ts'

const monthAndDay = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })

/** Wherever a key is named: that it stops working soon, and why. */
export function KeyMark({ apiKey }: { apiKey: Pick<ApiKey, 'status' | 'expiresAt' | 'replacedAt'> }) {
  const end = endOf(apiKey)
  if (!end) return null
  return (
    <Badge tone="warn">
      <time dateTime={end.at} title={exactTime(end.at)}>
        {end.why === 'retiring' ? `replaced, works until ${monthAndDay.format(new Date(end.at))}` : `expires ${fromNow(end.at)}`}
      </time>
    </Badge>
  )
}
