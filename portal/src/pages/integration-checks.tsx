import { useQuery } from '@tanstack/react-query'
import { type IntegrationParams, read } from '../api.ts'
import { type Check, checkDays } from '../check-days.ts'
import { Card } from '../design/card.tsx'
import { Loaded } from '../design/loaded.tsx'
import { Time } from '../design/time.tsx'
import { CheckStrip } from './check-strip.tsx'

const LATEST = 5
const words: Record<Check['outcome'], string> = { verified: 'Working', rejected: 'Failed', unreachable: 'Not reached' }
const looks: Record<Check['outcome'], string> = { verified: 'text-good', rejected: 'text-bad', unreachable: 'text-warn' }
const kinds: Record<Check['kind'], string> = { connect: 'connecting', verify: 'manual check', check: 'scheduled check', refresh: 'renewal' }

export function IntegrationChecks({ place }: { place: IntegrationParams }) {
  const query = useQuery(read('listIntegrationChecks', place))
  return (
    <Card title="Checks" note="Every 6 hours, or every 15 minutes during a temporary problem. Kept for 90 days.">
      <Loaded query={query}>
        {({ checks }) =>
          checks.length ? (
            <div className="grid gap-4">
              <CheckStrip days={checkDays(checks)} />
              <ul className="grid gap-2">
                {checks.slice(0, LATEST).map((check) => (
                  <Line key={check.id} {...check} />
                ))}
              </ul>
            </div>
          ) : (
            <p className="text-soft">No checks yet. They start once the integration is connected.</p>
          )
        }
      </Loaded>
    </Card>
  )
}

const Line = ({ kind, outcome, detail, durationMs, checkedAt }: Check) => (
  <li className="grid grid-cols-[1fr_auto] gap-x-4 border-line border-t pt-2">
    <span>
      <span className={`font-medium ${looks[outcome]}`}>{words[outcome]}</span>{' '}
      <span className="text-faint text-small">
        · {kinds[kind]} · {durationMs < 1000 ? `${durationMs} ms` : `${(durationMs / 1000).toFixed(1)} s`}
      </span>
    </span>
    <Time at={checkedAt} className="text-faint text-small" />
    {detail && <span className="col-span-2 text-small text-soft">{detail}</span>}
  </li>
)
