import { useQuery } from '@tanstack/react-query'
import { read } from '../api.ts'
import { Card } from '../design/card.tsx'
import { ProviderMark } from '../design/provider-mark.tsx'
import { type Column, Table } from '../design/table.tsx'
import type { ConnectRequest } from '../request-words.ts'
import { funnelOf, type SystemFunnel } from '../stuck-words.ts'

/** Which ad systems hold clients up, and why: what to help with, and what to explain better next time. */
export function WhereStuck({ requests }: { requests: ConnectRequest[] }) {
  const providers = useQuery(read('listProviders')).data?.providers ?? []
  const funnels = funnelOf(requests)
  if (!funnels.length) return null
  const columns: Column<SystemFunnel>[] = [
    {
      name: 'Ad system',
      lead: true,
      cell: ({ provider, providerName }) => (
        <span className="flex min-w-0 items-center gap-2.5">
          <ProviderMark provider={provider} category={providers.find((each) => each.provider === provider)?.category ?? null} />
          <span className="truncate font-medium">{providerName}</span>
        </span>
      ),
    },
    { name: 'Progress', bare: true, className: 'max-md:basis-full', cell: (funnel) => <HowFar funnel={funnel} /> },
    { name: 'Stuck', bare: true, className: 'max-md:basis-full max-md:pl-8.5', cell: ({ stuck }) => <Reasons stuck={stuck} /> },
  ]
  return (
    <Card title="Where clients get stuck" note="By ad system, for all requests listed here except canceled ones." flush>
      <Table label="Where clients get stuck" columns={columns} rows={funnels} id={({ provider }) => provider} />
    </Card>
  )
}

/** `Asked 5 · started 4 · connected 3`, drawn as what is left of each step. */
function HowFar({ funnel: { asked, started, connected, declined } }: { funnel: SystemFunnel }) {
  const said = [`${asked} asked`, `${started} started`, `${connected} connected`, declined && `${declined} not used`]
  return (
    <span className="grid w-full gap-1 max-md:pl-8.5 md:w-64 lg:w-80">
      <svg viewBox={`0 0 ${asked} 1`} preserveAspectRatio="none" className="h-1.5 w-full rounded-full" aria-hidden="true">
        <rect width={asked} height="1" className="fill-sunken" />
        <rect width={started} height="1" className="fill-accent" opacity="0.4" />
        <rect width={connected + declined} height="1" className="fill-edge" opacity="0.6" />
        <rect width={connected} height="1" className="fill-good" />
      </svg>
      <span className="text-small text-soft">{said.filter(Boolean).join(' · ')}</span>
    </span>
  )
}

const Reasons = ({ stuck }: Pick<SystemFunnel, 'stuck'>) =>
  stuck.length ? (
    <ul className="grid gap-0.5">
      {stuck.map(([why, count]) => (
        <li key={why} className="text-small">
          {why} <span className="text-faint">({count})</span>
        </li>
      ))}
    </ul>
  ) : (
    <span className="text-faint text-small">Nobody is stuck</span>
  )
