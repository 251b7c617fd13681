import { ceilingOf, type UsageBucket } from '../usage.ts'

const kinds = [
  { name: 'Reads', key: 'reads', fill: 'fill-accent', swatch: 'bg-accent' },
  { name: 'Changes', key: 'changes', fill: 'fill-warn', swatch: 'bg-warn' },
  { name: 'Failed', key: 'failed', fill: 'fill-bad', swatch: 'bg-bad' },
] as const

const HEIGHT = 160
const WIDTH = 640

const labels = {
  hour: new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' }),
  day: new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' }),
}

/** Bars for the eye, and the same numbers as a table for everyone. */
export function UsageChart({ buckets, by }: { buckets: UsageBucket[]; by: 'hour' | 'day' }) {
  const label = (from: string) => labels[by].format(new Date(from))
  const top = ceilingOf(Math.max(...buckets.map(({ reads, changes, failed }) => reads + changes + failed)))
  const called = buckets.filter(({ reads, changes, failed }) => reads + changes + failed > 0)
  return (
    <figure className="grid min-w-0 gap-3">
      <div className="grid grid-cols-[auto_1fr] gap-x-2" aria-hidden="true">
        <div className="flex flex-col justify-between text-right text-faint text-tiny leading-none">
          <span>{top.toLocaleString()}</span>
          <span>0</span>
        </div>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className="h-40 w-full">
          <title>Calls over time</title>
          {[0, 0.5, 1].map((share) => (
            <line
              key={share}
              x1="0"
              x2={WIDTH}
              y1={share * HEIGHT}
              y2={share * HEIGHT}
              className="stroke-line"
              vectorEffect="non-scaling-stroke"
            />
          ))}
          {buckets.map((bucket, at) => (
            <Bar key={bucket.from} bucket={bucket} at={at} count={buckets.length} top={top} />
          ))}
        </svg>
        <div className="col-start-2 mt-1.5 flex justify-between text-faint text-tiny">
          {[0, Math.floor((buckets.length - 1) / 2), buckets.length - 1].map((at) => (
            <span key={at}>{label(buckets[at]!.from)}</span>
          ))}
        </div>
      </div>
      <figcaption className="flex flex-wrap gap-x-4 gap-y-1 text-small text-soft">
        {kinds.map(({ name, swatch }) => (
          <span key={name} className="inline-flex items-center gap-1.5">
            <span className={`size-2.5 rounded-[2px] ${swatch}`} />
            {name}
          </span>
        ))}
      </figcaption>
      <details>
        <summary className="w-fit text-small text-soft">Show as a table</summary>
        <table className="mt-2 w-full max-w-md border-collapse text-left text-small" aria-label="Calls over time">
          <thead>
            <tr className="border-line border-b">
              {[by === 'hour' ? 'Hour' : 'Day (UTC)', ...kinds.map(({ name }) => name)].map((name) => (
                <th key={name} scope="col" className="py-1.5 pr-4 font-medium text-faint">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {called.map((bucket) => (
              <tr key={bucket.from} className="border-line border-b last:border-b-0">
                <th scope="row" className="py-1.5 pr-4 font-normal">
                  {label(bucket.from)}
                </th>
                {kinds.map(({ key }) => (
                  <td key={key} className="py-1.5 pr-4">
                    {bucket[key].toLocaleString()}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}

/** One above the other; whatever was called at all can be seen. */
function Bar({ bucket, at, count, top }: { bucket: UsageBucket; at: number; count: number; top: number }) {
  const slot = WIDTH / count
  const gap = Math.min(slot * 0.25, 8)
  let y = HEIGHT
  return kinds.map(({ key, fill }) => {
    if (!bucket[key]) return null
    const height = Math.max((bucket[key] / top) * HEIGHT, 2)
    y -= height
    return (
      <rect
        key={key}
        x={at * slot + gap / 2}
        y={y}
        width={slot - gap}
        height={height}
        className={`${fill} stroke-surface`}
        vectorEffect="non-scaling-stroke"
      />
    )
  })
}
