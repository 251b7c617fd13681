import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { read } from '../api.ts'
import { type Check, checkDays } from '../check-days.ts'
import { type CheckFilters, kindWords, outcomeWords, selectedChecks } from '../check-list.ts'
import { Badge } from '../design/badge.tsx'
import { Button } from '../design/button.tsx'
import { Card, Facts } from '../design/card.tsx'
import { Empty } from '../design/empty.tsx'
import { Icon } from '../design/icons.tsx'
import { Loaded } from '../design/loaded.tsx'
import type { Tone } from '../design/notice.tsx'
import { Time } from '../design/time.tsx'
import { exactTime, plural } from '../format.ts'
import { CheckFilterBar } from './check-filter-bar.tsx'
import { CheckStrip } from './check-strip.tsx'
import { useIntegration } from './use-integration.ts'

const looks: Record<Check['outcome'], Tone> = { verified: 'good', rejected: 'bad', unreachable: 'warn' }

/** Every check of the last 90 days: at one glance, and one by one. */
export function IntegrationChecks() {
  const { place } = useIntegration()
  const query = useQuery(read('listIntegrationChecks', place))
  const filters = useSearch({ from: '/signed-in/organizations/$orgSlug/workspaces/$workspaceSlug/integrations/$id/checks' })
  const navigate = useNavigate({ from: '/organizations/$orgSlug/workspaces/$workspaceSlug/integrations/$id/checks' })
  const filter = (next: CheckFilters) => void navigate({ search: (before) => ({ ...before, ...next }), replace: true, resetScroll: false })
  return (
    <Loaded query={query}>
      {({ checks }) =>
        checks.length ? (
          <>
            <Card title="Last 90 days" note="Every 6 hours, or every 15 minutes during a temporary problem.">
              <CheckStrip days={checkDays(checks)} onChoose={(day) => filter({ day })} />
            </Card>
            <Card title="Checks" note="Kept for 90 days." flush>
              <div className="border-line border-b px-5 py-3">
                <CheckFilterBar filters={filters} onFilter={filter} />
              </div>
              <List
                checks={selectedChecks(checks, filters)}
                total={checks.length}
                onAll={() => void navigate({ search: {}, replace: true })}
              />
            </Card>
          </>
        ) : (
          <div className="card">
            <Empty icon="clock" title="No checks yet">
              They start once the integration is connected, and run every 6 hours from then on.
            </Empty>
          </div>
        )
      }
    </Loaded>
  )
}

const PAGE = 50

function List({ checks, total, onAll }: { checks: Check[]; total: number; onAll: () => void }) {
  const [shown, setShown] = useState(PAGE)
  if (!checks.length)
    return (
      <Empty icon="search" title="No matching checks" action={<Button onClick={onAll}>Show all {total.toLocaleString()}</Button>}>
        Try another word or remove a filter.
      </Empty>
    )
  return (
    <>
      <ul aria-label="Checks" className="divide-y divide-line">
        {checks.slice(0, shown).map((check) => (
          <Line key={check.id} {...check} />
        ))}
      </ul>
      {checks.length > shown && (
        <div className="grid justify-center border-line border-t p-3">
          <Button look="quiet" size="small" onClick={() => setShown(shown + PAGE)}>
            Show more
          </Button>
        </div>
      )}
      <p role="status" className="border-line border-t px-5 py-2.5 text-faint text-small">
        {checks.length === total ? plural(total, 'check') : `${checks.length.toLocaleString()} of ${plural(total, 'check')}`}
      </p>
    </>
  )
}

const duration = (ms: number) => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`)

/** The whole row opens it. */
const Line = ({ kind, outcome, detail, durationMs, checkedAt }: Check) => (
  <li>
    <details className="group">
      <summary className="grid list-none grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 px-5 py-2.5 hover:bg-sunken/50 md:grid-cols-[auto_6rem_minmax(0,1fr)_4rem_6.5rem] [&::-webkit-details-marker]:hidden">
        <Icon name="chevron" className="-rotate-90 text-faint transition-transform group-open:rotate-0" />
        <span>
          <Badge tone={looks[outcome]}>{outcomeWords[outcome]}</Badge>
        </span>
        <span className="truncate text-small text-soft max-md:col-start-2 max-md:col-end-4 max-md:row-start-2">
          {detail ?? kindWords[kind]}
        </span>
        <span className="text-right text-faint text-small max-md:hidden">{duration(durationMs)}</span>
        <Time at={checkedAt} className="text-right text-faint text-small max-md:col-start-3 max-md:row-start-1" />
      </summary>
      <div className="border-line border-t border-dashed bg-sunken/40 px-5 py-4 sm:pl-12">
        <Facts
          facts={[
            ...(detail ? [['Reason', detail] as [string, string]] : []),
            ['Kind', kindWords[kind]],
            ['When', exactTime(checkedAt)],
            ['Took', duration(durationMs)],
          ]}
        />
      </div>
    </details>
  </li>
)
