import type { Output } from '@adjoin/contract/operations'
import { useQuery } from '@tanstack/react-query'
import { read } from '../api.ts'
import { Card } from '../design/card.tsx'
import { Loaded } from '../design/loaded.tsx'
import { StackedBars } from '../design/stacked-bars.tsx'

const series = [
  { name: 'Active', key: 'active', fill: 'fill-good', swatch: 'bg-good' },
  { name: 'Pending', key: 'pending', fill: 'fill-accent', swatch: 'bg-accent' },
  { name: 'In error', key: 'error', fill: 'fill-bad', swatch: 'bg-bad' },
] as const

const DAYS = 30
const DAY = 86_400_000
const dayName = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' })

type OrganizationDay = Output<'getOrganizationHealth'>['days'][number]

/** A bar for every day, also for those before there was anything to keep. */
export function everyDay(days: OrganizationDay[], today = Date.now()): { from: string; active: number; pending: number; error: number }[] {
  const kept = new Map(days.map((day) => [day.day, day]))
  return Array.from({ length: DAYS }, (_, at) => {
    const from = new Date(today - (DAYS - 1 - at) * DAY).toISOString().slice(0, 10)
    const { active = 0, pending = 0, error = 0 } = kept.get(from) ?? {}
    return { from, active, pending, error }
  })
}

/** Whether it gets better or worse. */
export function OverviewHealth({ orgSlug }: { orgSlug: string }) {
  const query = useQuery(read('getOrganizationHealth', { orgSlug, days: DAYS }))
  return (
    <Card title="Last 30 days" note={query.data && inWords(query.data.days)}>
      <Loaded query={query}>
        {({ days }) => (
          <StackedBars
            title="Integrations by status and day"
            series={series}
            buckets={everyDay(days)}
            label={(from) => dayName.format(new Date(from))}
            heading="Day (UTC)"
            className="h-24"
          />
        )}
      </Loaded>
    </Card>
  )
}

function inWords(days: OrganizationDay[]): string {
  const all = days.flatMap(({ checks }) => checks)
  const [checks, failures] = [all.reduce((sum, one) => sum + one.checks, 0), all.reduce((sum, one) => sum + one.failures, 0)]
  if (!checks) return 'No checks yet.'
  const share = ((checks - failures) / checks) * 100
  return `${share === 100 ? '100' : (Math.floor(share * 10) / 10).toFixed(1)}% of ${checks === 1 ? '1 check' : `${checks.toLocaleString()} checks`} passed.`
}
