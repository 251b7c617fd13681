import type { Output } from '@adjoin/contract/operations'
import { useQuery } from '@tanstack/react-query'
import { read, type WorkspaceParams } from '../api.ts'
import { Card } from '../design/card.tsx'
import { Loaded } from '../design/loaded.tsx'
import { StackedBars } from '../design/stacked-bars.tsx'

const series = [
  { name: 'Working', key: 'verified', fill: 'fill-good', swatch: 'bg-good' },
  { name: 'Not reached', key: 'unreachable', fill: 'fill-warn', swatch: 'bg-warn' },
  { name: 'Failed', key: 'rejected', fill: 'fill-bad', swatch: 'bg-bad' },
] as const

const DAYS = 30
const DAY = 86_400_000
const dayName = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' })

type WorkspaceDay = Output<'getWorkspaceHealth'>['days'][number]

/** A bar for every day, also for those without a check. */
export function everyCheckDay(days: WorkspaceDay[], today = Date.now()) {
  const kept = new Map(days.map((day) => [day.day, day]))
  return Array.from({ length: DAYS }, (_, at) => {
    const from = new Date(today - (DAYS - 1 - at) * DAY).toISOString().slice(0, 10)
    const { verified = 0, rejected = 0, unreachable = 0 } = kept.get(from) ?? {}
    return { from, verified, rejected, unreachable }
  })
}

/** Whether it gets better or worse for this client. */
export function WorkspaceHealth({ place }: { place: WorkspaceParams }) {
  const query = useQuery(read('getWorkspaceHealth', { ...place, days: DAYS }))
  return (
    <Card title="Last 30 days" note={query.data && inWords(query.data.days)}>
      <Loaded query={query}>
        {({ days }) => (
          <StackedBars
            title="Checks by result and day"
            series={series}
            buckets={everyCheckDay(days)}
            label={(from) => dayName.format(new Date(from))}
            heading="Day (UTC)"
            className="h-24"
          />
        )}
      </Loaded>
    </Card>
  )
}

/** Rounded down: 100% is said only of all. A check that did not get through says nothing about the connection. */
function inWords(days: WorkspaceDay[]): string {
  const passed = days.reduce((sum, { verified }) => sum + verified, 0)
  const judged = days.reduce((sum, { verified, rejected }) => sum + verified + rejected, 0)
  if (!judged) return 'No checks yet.'
  return `${Math.floor((passed / judged) * 1000) / 10}% of ${judged === 1 ? '1 check' : `${judged.toLocaleString()} checks`} passed.`
}
