import { integrationStatuses } from '@adjoin/contract/providers'
import { Icon } from '../design/icons.tsx'
import { InlineSelect } from '../design/inline-select.tsx'
import type { Integration, ListFilters } from '../integration-words.ts'

/** They stand in the address, so that a colleague can be sent to what one sees. */
export function IntegrationFilters(props: { integrations: Integration[]; filters: ListFilters; onFilter: (next: ListFilters) => void }) {
  const { integrations, filters, onFilter } = props
  const systems = [...new Map(integrations.map(({ provider, providerName }) => [provider, providerName]))].toSorted((a, b) =>
    a[1].localeCompare(b[1]),
  )
  const count = (status: string) => integrations.filter((integration) => integration.status === status).length
  return (
    <search className="flex flex-wrap items-center gap-2">
      <span className="relative grid max-sm:w-full">
        <Icon name="search" className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-faint" />
        <input
          type="search"
          aria-label="Search integrations"
          placeholder="Name, account, error…"
          className="control-small w-full sm:w-52 border border-line bg-surface pr-2 pl-8"
          defaultValue={filters.search ?? ''}
          onChange={(event) => onFilter({ search: event.target.value || undefined })}
        />
      </span>
      <InlineSelect
        aria-label="Status"
        className="bg-surface"
        value={filters.status ?? ''}
        onChange={(event) => onFilter({ status: event.target.value || undefined })}
      >
        <option value="">Any status</option>
        {integrationStatuses.map((status) => (
          <option key={status} value={status}>
            {status} ({count(status)})
          </option>
        ))}
      </InlineSelect>
      <InlineSelect
        aria-label="Ad system"
        className="bg-surface"
        value={filters.provider ?? ''}
        onChange={(event) => onFilter({ provider: event.target.value || undefined })}
      >
        <option value="">Any ad system</option>
        {systems.map(([provider, name]) => (
          <option key={provider} value={provider}>
            {name}
          </option>
        ))}
      </InlineSelect>
    </search>
  )
}
