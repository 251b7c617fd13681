import { actors, integrationStatuses, type MustAct } from '@adjoin/contract/providers'
import { useQuery } from '@tanstack/react-query'
import { read } from '../api.ts'
import { InlineSelect } from '../design/inline-select.tsx'
import { SearchBox } from '../design/search-box.tsx'
import type { OverviewFilters } from '../overview.ts'

export type OverviewCounts = {
  total: number
  byStatus: Record<(typeof integrationStatuses)[number], number>
  byProvider: Record<string, number>
  byMustAct: Record<MustAct, number>
}

const turns: Record<MustAct, string> = {
  agency: 'You',
  client: 'Your client',
  operator: 'Your Adjoin operator',
  nobody: 'Nobody: retrying',
}

type FilterProps = {
  /** Of everything, whatever is filtered. */
  all: OverviewCounts
  /** Left out within one. */
  workspaces: { slug: string; name: string }[] | undefined
  filters: OverviewFilters
  onFilter: (next: OverviewFilters) => void
}

/** They stand in the address, so that a colleague can be sent to what one sees. */
export function OverviewFilterBar({ all, workspaces, filters, onFilter }: FilterProps) {
  const providers = useQuery(read('listProviders')).data?.providers ?? []
  const nameOf = (provider: string) => providers.find((each) => each.provider === provider)?.providerName ?? provider
  const select = (name: keyof OverviewFilters, label: string, any: string, options: [value: string, label: string][]) => (
    <InlineSelect
      aria-label={label}
      className="w-full bg-surface sm:max-w-44"
      value={filters[name] ?? ''}
      onChange={(event) => onFilter({ [name]: event.target.value || undefined } as OverviewFilters)}
    >
      <option value="">{any}</option>
      {options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </InlineSelect>
  )
  const systems = Object.entries(all.byProvider).map(([provider, count]): [string, string] => [provider, `${nameOf(provider)} (${count})`])
  return (
    <search className="grid grid-cols-2 items-center gap-2 sm:flex sm:flex-wrap">
      <SearchBox
        label="Search integrations"
        placeholder={workspaces ? 'Name, account, client…' : 'Name or account…'}
        q={filters.q ?? ''}
        onSearch={(q) => onFilter({ q })}
        className="col-span-2"
      />
      {select(
        'status',
        'Status',
        'Any status',
        integrationStatuses.map((status) => [status, `${status} (${all.byStatus[status]})`]),
      )}
      {select(
        'provider',
        'Ad system',
        'Any ad system',
        systems.toSorted((a, b) => a[1].localeCompare(b[1])),
      )}
      {select(
        'mustAct',
        'Who needs to act',
        'Waiting for anyone',
        actors.map((actor) => [actor, `${turns[actor]} (${all.byMustAct[actor]})`]),
      )}
      {workspaces &&
        select(
          'workspace',
          'Workspace',
          'Any workspace',
          workspaces.map(({ slug, name }) => [slug, name]),
        )}
      {select(
        'expiringWithin',
        'Access expires',
        'Expires any time',
        ['14', '30', '90'].map((days) => [days, `Within ${days} days`]),
      )}
    </search>
  )
}
