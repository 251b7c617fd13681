import type { ReactNode } from 'react'

type CardProps = {
  /** Where a link leads that means this one. */ id?: string
  title?: string
  note?: ReactNode
  action?: ReactNode
  flush?: boolean
  children: ReactNode
}

/** One matter of a page: its title, its one action, and its content. `flush` lets a table reach the edges. */
export const Card = ({ id, title, note, action, flush, children }: CardProps) => (
  <section id={id} className="card min-w-0 scroll-mt-18 overflow-clip">
    {title && (
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 pt-4 pb-3">
        <div>
          <h2 className="font-semibold text-large">{title}</h2>
          {note && <p className="text-faint text-small">{note}</p>}
        </div>
        {action}
      </header>
    )}
    <div className={flush ? 'border-line border-t' : title ? 'px-5 pb-5' : 'p-5'}>{children}</div>
  </section>
)

/** Names and values, such as an organization's facts. */
export const Facts = ({ facts }: { facts: [string, ReactNode][] }) => (
  <dl className="grid grid-cols-[minmax(5.5rem,max-content)_1fr] gap-x-5 gap-y-2.5">
    {facts.map(([name, value]) => (
      <div key={name} className="col-span-2 grid grid-cols-subgrid items-baseline">
        <dt className="text-faint">{name}</dt>
        <dd className="wrap-anywhere min-w-0">{value}</dd>
      </div>
    ))}
  </dl>
)
