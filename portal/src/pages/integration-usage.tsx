import type { Output } from '@adjoin/contract/operations'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { type IntegrationParams, live, read } from '../api.ts'
import { Card } from '../design/card.tsx'
import { InlineSelect } from '../design/inline-select.tsx'
import { Loaded } from '../design/loaded.tsx'
import { Skeleton } from '../design/skeleton.tsx'
import { Time } from '../design/time.tsx'
import { plural } from '../format.ts'
import { bucketsOf, type Span, spans, startOf, totalOf, type UsageBucket } from '../usage.ts'

const UsageChart = lazy(() => import('./usage-chart.tsx').then(({ UsageChart }) => ({ default: UsageChart })))

/** How much programs use the connection, over time. */
export function IntegrationUsage({ place }: { place: IntegrationParams }) {
  const [span, setSpan] = useState<Span>('month')
  const start = useMemo(() => startOf(span), [span])
  const query = useQuery(live(read('getIntegrationUsage', { ...place, from: start.toISOString(), by: spans[span].by })))
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
        {({ usage, quota }) => {
          const buckets = bucketsOf(usage, span, start)
          const total = totalOf(buckets)
          const called = total.reads + total.changes + total.failed > 0
          return (
            <div className="grid gap-4">
              {called ? <p>{inWords(total)}</p> : <p className="text-soft">No calls in this period.</p>}
              {called && (
                <Suspense fallback={<Skeleton className="h-48" />}>
                  <UsageChart buckets={buckets} by={spans[span].by} />
                </Suspense>
              )}
              {quota && <DailyQuota {...quota} />}
            </div>
          )
        }}
      </Loaded>
    </Card>
  )
}

type Quota = NonNullable<Output<'getIntegrationUsage'>['quota']>

const DailyQuota = ({ calls, used, left, endsAt }: Quota) => (
  <p className="text-small text-soft">
    Today, your organization has used {used.toLocaleString()} of its {plural(calls, 'call')} to this ad system, over all of its
    integrations. {left ? `${left.toLocaleString()} are left.` : 'None are left.'} The ad system’s next day begins <Time at={endsAt} />.
  </p>
)

const inWords = ({ reads, changes, failed }: Omit<UsageBucket, 'from'>) =>
  `${plural(reads, 'read')} and ${plural(changes, 'change')} worked. ${failed ? `${plural(failed, 'call')} failed.` : 'No call failed.'}`
