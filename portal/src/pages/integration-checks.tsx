import type { Output } from '@adjoin/contract/operations'
import { useQuery } from '@tanstack/react-query'
import { type IntegrationParams, read } from '../api.ts'
import { Card } from '../design/card.tsx'
import { Loaded } from '../design/loaded.tsx'
import { Time } from '../design/time.tsx'
import { exactTime, plural } from '../format.ts'

type Check = Output<'listIntegrationChecks'>['checks'][number]

const SLOTS = 60
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
              <Timeline checks={checks.slice(0, SLOTS).reverse()} />
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

/** A bar for each check, the newest at the right: its height is the time it took, its form the outcome. */
function Timeline({ checks }: { checks: Check[] }) {
  const confirmed = checks.filter(({ outcome }) => outcome === 'verified').length
  return (
    <figure className="grid gap-1.5">
      <svg
        viewBox={`0 0 ${SLOTS * 10} 52`}
        preserveAspectRatio="none"
        className="h-14 w-full"
        role="img"
        aria-label={`${confirmed} of the last ${plural(checks.length, 'check')} confirmed the access`}
      >
        <path d={`M0 51H${SLOTS * 10}`} className="text-line" stroke="currentColor" vectorEffect="non-scaling-stroke" />
        {checks.map((check, index) => {
          const height = heightOf(check)
          const hollow = check.outcome === 'unreachable'
          return (
            <rect
              key={check.id}
              x={(SLOTS - checks.length + index) * 10 + 1.5}
              y={50 - height}
              width="7"
              height={height}
              className={looks[check.outcome]}
              fill={hollow ? 'none' : 'currentColor'}
              stroke={hollow ? 'currentColor' : 'none'}
              strokeDasharray={hollow ? '3 2' : undefined}
              vectorEffect="non-scaling-stroke"
            >
              <title>{`${exactTime(check.checkedAt)}: ${words[check.outcome]}, ${check.durationMs} ms`}</title>
            </rect>
          )
        })}
      </svg>
      <figcaption className="flex flex-wrap gap-x-4 text-faint text-tiny">
        {(Object.keys(words) as Check['outcome'][]).map((outcome) => (
          <span key={outcome} className="inline-flex items-center gap-1.5">
            <span
              className={`inline-block size-2.5 rounded-[2px] ${looks[outcome]} ${outcome === 'unreachable' ? 'border border-current border-dashed' : 'bg-current'}`}
            />
            {words[outcome]}
          </span>
        ))}
        <span className="ml-auto">newest on the right</span>
      </figcaption>
    </figure>
  )
}

/** A refusal fills the height, so that one is seen among many; waits are drawn by order of magnitude. */
const heightOf = ({ outcome, durationMs }: Check) => (outcome === 'rejected' ? 48 : 8 + 36 * Math.min(1, Math.log10(durationMs + 1) / 4.5))

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
