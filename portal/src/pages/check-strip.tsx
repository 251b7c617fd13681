import { useState } from 'react'
import { type CheckDay, outcomeOf } from '../check-days.ts'
import { plural } from '../format.ts'

type DayOutcome = ReturnType<typeof outcomeOf>

/** The height tells as much as the colour does. */
const looks: Record<DayOutcome, { name: string; look: string; height: number }> = {
  verified: { name: 'Working', look: 'text-good', height: 26 },
  rejected: { name: 'Failed', look: 'text-bad', height: 40 },
  unreachable: { name: 'Not reached', look: 'text-warn', height: 33 },
  none: { name: 'No checks', look: 'text-line', height: 8 },
}

const HEIGHT = 40
const monthAndDay = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' })
export const dayName = (day: string) => monthAndDay.format(new Date(day))

/**
 * One bar a day. A pointer or the arrow keys go from day to day, and the line below says what happened.
 * Where days can be chosen, a click or Enter does it.
 */
export function CheckStrip({ days, onChoose }: { days: CheckDay[]; onChoose?: (day: string) => void }) {
  // The newest day that says something.
  const [at, setAt] = useState(() => {
    const newest = days.findLastIndex((day) => outcomeOf(day) !== 'none')
    return newest < 0 ? days.length - 1 : newest
  })
  const told = inWords(days[at]!)
  return (
    <figure className="grid gap-1.5">
      <div className="relative rounded-small has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2">
        <svg viewBox={`0 0 ${days.length * 4} ${HEIGHT}`} preserveAspectRatio="none" className="h-10 w-full" aria-hidden="true">
          {days.map((day, index) => {
            const { look, height } = looks[outcomeOf(day)]
            return (
              <rect
                key={day.day}
                x={index * 4 + 0.5}
                y={HEIGHT - height}
                width="3"
                height={height}
                className={look}
                fill="currentColor"
                fillOpacity={index === at ? 1 : 0.72}
              />
            )
          })}
        </svg>
        <input
          type="range"
          min="0"
          max={days.length - 1}
          value={at}
          aria-label="Checks by day"
          aria-valuetext={told}
          className={`absolute inset-0 size-full opacity-0 ${onChoose ? 'cursor-pointer' : 'cursor-crosshair'}`}
          {...(onChoose && {
            onClick: () => onChoose(days[at]!.day),
            onKeyDown: ({ key }: { key: string }) => key === 'Enter' && onChoose(days[at]!.day),
          })}
          onChange={(event) => setAt(Number(event.target.value))}
          onPointerMove={({ currentTarget, clientX }) => {
            const { left, width } = currentTarget.getBoundingClientRect()
            setAt(Math.max(0, Math.min(days.length - 1, Math.floor(((clientX - left) / width) * days.length))))
          }}
        />
      </div>
      <div className="flex justify-between text-faint text-tiny">
        <span>90 days ago</span>
        <span>Today</span>
      </div>
      <p className="min-h-5 text-small text-soft max-sm:min-h-10">{told}</p>
      <figcaption className="flex flex-wrap gap-x-4 gap-y-1 text-faint text-tiny">
        {Object.values(looks).map(({ name, look }) => (
          <span key={name} className="inline-flex items-center gap-1.5">
            <span className={`inline-block size-2.5 rounded-[2px] bg-current ${look}`} />
            {name}
          </span>
        ))}
      </figcaption>
      <DayTable days={days.filter((day) => outcomeOf(day) !== 'none').reverse()} />
    </figure>
  )
}

function inWords(day: CheckDay): string {
  const { verified, rejected, unreachable, reason } = day
  const failed = [rejected && `${rejected} failed`, unreachable && `${unreachable} not reached`].filter(Boolean).join(', ')
  if (outcomeOf(day) === 'none') return `${dayName(day.day)}: no checks`
  const checks = plural(verified + rejected + unreachable, 'check')
  return failed ? `${dayName(day.day)}: ${checks}, ${failed}. ${reason ?? ''}` : `${dayName(day.day)}: ${checks}, all working`
}

const DayTable = ({ days }: { days: CheckDay[] }) => (
  <details>
    <summary className="w-fit text-small text-soft">Show as a table</summary>
    <table className="mt-2 w-full border-collapse text-left text-small" aria-label="Checks by day">
      <thead>
        <tr className="border-line border-b">
          {['Day (UTC)', 'Working', 'Failed', 'Not reached', 'Reason'].map((name) => (
            <th key={name} scope="col" className="py-1.5 pr-4 font-medium text-faint">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map(({ day, verified, rejected, unreachable, reason }) => (
          <tr key={day} className="border-line border-b align-top last:border-b-0">
            <th scope="row" className="whitespace-nowrap py-1.5 pr-4 font-normal">
              {dayName(day)}
            </th>
            <td className="py-1.5 pr-4">{verified}</td>
            <td className="py-1.5 pr-4">{rejected}</td>
            <td className="py-1.5 pr-4">{unreachable}</td>
            <td className="py-1.5">{reason}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </details>
)
