import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { type IntegrationParams, read } from '../api.ts'
import { Card } from '../design/card.tsx'
import { InlineSelect } from '../design/inline-select.tsx'
import { Loaded } from '../design/loaded.tsx'
import { Skeleton } from '../design/skeleton.tsx'
import { plural } from '../format.ts'
import { bucketsOf, type Span, spans, startOf, totalOf, type UsageBucket } from '../usage.ts'

const UsageChart = lazy(() => import('./usage-chart.tsx').then(({ UsageChart }) => ({ default: UsageChart })))

/** How much programs use the connection, over time. */
export function IntegrationUsage({ place }: { place: IntegrationParams }) {
  const [span, setSpan] = useState<Span>('month')
  const start = useMemo(() => startOf(span), [span])
  const query = useQuery(read('getIntegrationUsage', { ...place, from: start.toISOString(), by: spans[span].by }))
  return (
    <Card
      title="Usage"
      note="Calls that Adjoin itself refused are not counted."
      action={
        <InlineSelect aria-label="Period" value={span} onChange={(event) => setSpan(event.target.value as Span)}>
          {Object.entries(spans).map(([value, { label }]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </InlineSelect>
      }
    >
      <Loaded query={query}>
        {({ usage }) => {
          const buckets = bucketsOf(usage, span, start)
          const total = totalOf(buckets)
          if (!(total.reads + total.changes + total.failed)) return <p className="text-soft">No calls in this period.</p>
          return (
            <div className="grid gap-4">
              <p>{inWords(total)}</p>
              <Suspense fallback={<Skeleton className="h-48" />}>
                <UsageChart buckets={buckets} by={spans[span].by} />
              </Suspense>
            </div>
          )
        }}
      </Loaded>
    </Card>
  )
}

const inWords = ({ reads, changes, failed }: Omit<UsageBucket, 'from'>) =>
  `${plural(reads, 'read')} and ${plural(changes, 'change')} worked. ${failed ? `${plural(failed, 'call')} failed.` : 'No call failed.'}`
