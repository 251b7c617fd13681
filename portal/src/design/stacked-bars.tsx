import { ceilingOf } from '../usage.ts'

export type BarSeries<Key extends string> = readonly { name: string; key: Key; fill: string; swatch: string }[]
export type BarBucket<Key extends string> = { from: string } & Record<Key, number>

type BarsProps<Key extends string> = {
  title: string
  series: BarSeries<Key>
  buckets: BarBucket<Key>[]
  /** How the beginning of a bucket is said, and what that column of the table is called. */
  label: (from: string) => string
  heading: string
  className?: string
}

const HEIGHT = 160
const WIDTH = 640

const sumOf = <Key extends string>(bucket: BarBucket<Key>, series: BarSeries<Key>) => series.reduce((sum, { key }) => sum + bucket[key], 0)

/** Bars for the eye, and the same numbers as a table for everyone. */
export function StackedBars<Key extends string>({ title, series, buckets, label, heading, className = 'h-40' }: BarsProps<Key>) {
  const top = ceilingOf(Math.max(...buckets.map((bucket) => sumOf(bucket, series))))
  return (
    <figure className="grid min-w-0 gap-3">
      <div className="grid grid-cols-[auto_1fr] gap-x-2" aria-hidden="true">
        <div className="flex flex-col justify-between text-right text-faint text-tiny leading-none">
          <span>{top.toLocaleString()}</span>
          <span>0</span>
        </div>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className={`w-full ${className}`}>
          <title>{title}</title>
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
            <Bar key={bucket.from} series={series} bucket={bucket} at={at} count={buckets.length} top={top} />
          ))}
        </svg>
        <div className="col-start-2 mt-1.5 flex justify-between text-faint text-tiny">
          {[0, Math.floor((buckets.length - 1) / 2), buckets.length - 1].map((at) => (
            <span key={at}>{label(buckets[at]!.from)}</span>
          ))}
        </div>
      </div>
      <figcaption className="flex flex-wrap gap-x-4 gap-y-1 text-small text-soft">
        {series.map(({ name, swatch }) => (
          <span key={name} className="inline-flex items-center gap-1.5">
            <span className={`size-2.5 rounded-[2px] ${swatch}`} />
            {name}
          </span>
        ))}
      </figcaption>
      <details>
        <summary className="w-fit text-small text-soft">Show as a table</summary>
        <table className="mt-2 w-full max-w-md border-collapse text-left text-small" aria-label={title}>
          <thead>
            <tr className="border-line border-b">
              {[heading, ...series.map(({ name }) => name)].map((name) => (
                <th key={name} scope="col" className="py-1.5 pr-4 font-medium text-faint">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {buckets
              .filter((bucket) => sumOf(bucket, series) > 0)
              .map((bucket) => (
                <tr key={bucket.from} className="border-line border-b last:border-b-0">
                  <th scope="row" className="py-1.5 pr-4 font-normal">
                    {label(bucket.from)}
                  </th>
                  {series.map(({ key }) => (
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

type BarProps<Key extends string> = { series: BarSeries<Key>; bucket: BarBucket<Key>; at: number; count: number; top: number }

/** One above the other; whatever was counted at all can be seen. */
function Bar<Key extends string>({ series, bucket, at, count, top }: BarProps<Key>) {
  const slot = WIDTH / count
  const gap = Math.min(slot * 0.25, 8)
  let y = HEIGHT
  return series.map(({ key, fill }) => {
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
