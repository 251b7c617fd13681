import { StackedBars } from '../design/stacked-bars.tsx'
import type { UsageBucket } from '../usage.ts'

const kinds = [
  { name: 'Reads', key: 'reads', fill: 'fill-accent', swatch: 'bg-accent' },
  { name: 'Changes', key: 'changes', fill: 'fill-warn', swatch: 'bg-warn' },
  { name: 'Failed', key: 'failed', fill: 'fill-bad', swatch: 'bg-bad' },
] as const

const labels = {
  hour: new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' }),
  day: new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' }),
}

export const UsageChart = ({ buckets, by }: { buckets: UsageBucket[]; by: 'hour' | 'day' }) => (
  <StackedBars
    title="Calls over time"
    series={kinds}
    buckets={buckets}
    label={(from) => labels[by].format(new Date(from))}
    heading={by === 'hour' ? 'Hour' : 'Day (UTC)'}
  />
)
