import { auditEvents } from '@adjoin/contract/audit-events'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { read } from '../api.ts'
import type { AuditFilters } from '../audit-filters.ts'
import { Button } from '../design/button.tsx'
import { InlineSelect } from '../design/inline-select.tsx'
import { spoken } from '../format.ts'

type Props = { orgSlug: string; filters: AuditFilters; onFilter: (filters: AuditFilters) => void }

const groups = Object.groupBy(Object.keys(auditEvents), (kind) => kind.split('.')[0]!)
const box = 'control-small w-full min-w-0 border border-line bg-surface px-2 text-ink'

export function AuditFilterBar({ orgSlug, filters, onFilter }: Props) {
  const { data } = useQuery(read('listWorkspaces', { orgSlug }))
  const id = useId()
  const set = (name: keyof AuditFilters, value: string) => {
    const { [name]: _, ...rest } = filters
    onFilter(value ? { ...rest, [name]: value } : rest)
  }
  const tie = (name: keyof AuditFilters) => ({ id: `${id}-${name}`, className: box })
  return (
    <search className="grid grid-cols-2 items-end gap-2.5 sm:grid-cols-3 lg:grid-cols-[1.4fr_1.4fr_1.2fr_1fr_1fr_auto]">
      <Labelled id={`${id}-action`} label="Action">
        <InlineSelect {...tie('action')} value={filters.action ?? ''} onChange={(event) => set('action', event.target.value)}>
          <option value="">All</option>
          {Object.entries(groups).map(([group, kinds]) => (
            <optgroup key={group} label={spoken(group)}>
              <option value={`${group}.*`}>{spoken(group)}: all</option>
              {kinds?.map((kind) => (
                <option key={kind} value={kind}>
                  {spoken(group)}: {kind.split('.')[1]?.replaceAll('_', ' ')}
                </option>
              ))}
            </optgroup>
          ))}
        </InlineSelect>
      </Labelled>
      <Labelled id={`${id}-actor`} label="By (email or ID)">
        <input
          {...tie('actor')}
          key={filters.actor}
          type="search"
          defaultValue={filters.actor}
          onBlur={(event) => event.target.value !== (filters.actor ?? '') && set('actor', event.target.value.trim())}
          onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
        />
      </Labelled>
      <Labelled id={`${id}-workspace`} label="Workspace">
        <InlineSelect {...tie('workspace')} value={filters.workspace ?? ''} onChange={(event) => set('workspace', event.target.value)}>
          <option value="">All</option>
          {data?.workspaces.map(({ slug, name }) => (
            <option key={slug} value={slug}>
              {name}
            </option>
          ))}
        </InlineSelect>
      </Labelled>
      <Labelled id={`${id}-from`} label="From">
        <input
          {...tie('from')}
          type="date"
          value={filters.from ?? ''}
          max={filters.to}
          onChange={(event) => set('from', event.target.value)}
        />
      </Labelled>
      <Labelled id={`${id}-to`} label="To">
        <input {...tie('to')} type="date" value={filters.to ?? ''} min={filters.from} onChange={(event) => set('to', event.target.value)} />
      </Labelled>
      <Button size="small" look="quiet" disabled={Object.keys(filters).length === 0} onClick={() => onFilter({})}>
        Clear
      </Button>
    </search>
  )
}

const Labelled = ({ id, label, children }: { id: string; label: string; children: React.ReactNode }) => (
  <div className="grid min-w-0 gap-1">
    <label htmlFor={id} className="text-faint text-small">
      {label}
    </label>
    {children}
  </div>
)
