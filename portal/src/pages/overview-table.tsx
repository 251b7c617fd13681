import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { Button } from '../design/button.tsx'
import { Card } from '../design/card.tsx'
import { Empty } from '../design/empty.tsx'
import { Kbd } from '../design/kbd.tsx'
import { Loaded } from '../design/loaded.tsx'
import { SortHeading } from '../design/sort-heading.tsx'
import { isNarrowed, type OverviewFilters, overviewFilters, overviewPages } from '../overview.ts'
import { OverviewBulkBar } from './overview-bulk.tsx'
import { type OverviewCounts, OverviewFilterBar } from './overview-filters.tsx'
import { columns, OverviewRow } from './overview-row.tsx'
import { useRowShortcuts } from './row-shortcuts.ts'
import { Counts } from './workspace-marks.tsx'

type TableProps = {
  orgSlug: string
  /** Only of this one. */
  workspaceSlug?: string
  all: OverviewCounts
  workspaces?: { slug: string; name: string }[]
  mayChange: (workspaceSlug: string) => boolean
}

/** All integrations of all workspaces or of one, to be narrowed, sorted and changed together. */
export function OverviewTable({ orgSlug, workspaceSlug, all, workspaces, mayChange }: TableProps) {
  const filters = overviewFilters({ ...useSearch({ strict: false }), ...(workspaceSlug && { workspace: workspaceSlug }) })
  const { workspace: _, ...own } = filters
  const navigate = useNavigate()
  const filter = (next: OverviewFilters) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...next }), replace: true, resetScroll: false, hash: '' })
  const query = useInfiniteQuery({ ...overviewPages(orgSlug, filters), placeholderData: keepPreviousData })
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const select = useCallback(
    (id: string, selected: boolean) => setChosen((before) => new Set(selected ? [...before, id] : [...before].filter((one) => one !== id))),
    [],
  )
  const rows = query.data?.pages.flatMap(({ integrations }) => integrations) ?? []
  const counts = query.data?.pages[0]?.counts
  const changeable = rows.filter(({ workspace }) => mayChange(workspace.slug))
  const selected = changeable.filter(({ id }) => chosen.has(id))
  const tableRef = useRowShortcuts()
  const title = workspaceSlug ? 'Integrations' : 'All integrations'
  return (
    <Card
      id="integrations"
      title={title}
      note={
        <span className="max-md:hidden">
          <Kbd>j</Kbd> and <Kbd>k</Kbd> move, <Kbd>x</Kbd> selects, <Kbd>Enter</Kbd> opens.
        </span>
      }
      action={counts && <Counts counts={counts.byStatus} />}
      flush
    >
      <div className="border-line border-b px-5 py-3">
        <OverviewFilterBar all={all} workspaces={workspaces} filters={filters} onFilter={filter} />
      </div>
      <Loaded query={query}>
        {() =>
          rows.length ? (
            <table ref={tableRef} aria-label={title} aria-busy={query.isPlaceholderData || undefined} className="block w-full text-left">
              <thead className="block border-line border-b">
                <tr className={`${columns} py-1.5`}>
                  <th scope="col" className="grid size-4">
                    {changeable.length > 0 && (
                      <input
                        type="checkbox"
                        aria-label="Select all shown"
                        className="size-4 accent-accent"
                        checked={selected.length === changeable.length}
                        onChange={(event) => setChosen(new Set(event.target.checked ? changeable.map(({ id }) => id) : []))}
                      />
                    )}
                  </th>
                  {headings.map(({ sort, name, className }) =>
                    workspaceSlug && sort === 'workspace' ? (
                      <th key={sort} scope="col" className={`font-medium text-faint text-small ${className}`}>
                        Account
                      </th>
                    ) : (
                      <SortHeading
                        key={sort}
                        name={name}
                        className={className}
                        sorted={filters.sort === sort ? 'ascending' : undefined}
                        // Sorted by nothing, what needs somebody comes first.
                        title={filters.sort === sort ? 'Sort by urgency' : `Sort by ${name.toLowerCase()}`}
                        onSort={() => filter({ sort: filters.sort === sort ? undefined : sort })}
                      />
                    ),
                  )}
                </tr>
              </thead>
              {groupsOf(rows).map((group) => (
                <tbody key={group[0]!.id} className={rows.length > DRAWN ? skippable : 'block'}>
                  {group.map((integration) => (
                    <OverviewRow
                      key={integration.id}
                      orgSlug={orgSlug}
                      atHome={workspaceSlug !== undefined}
                      integration={integration}
                      selected={chosen.has(integration.id)}
                      onSelect={mayChange(integration.workspace.slug) ? select : undefined}
                    />
                  ))}
                </tbody>
              ))}
            </table>
          ) : (
            <Empty
              icon="search"
              title="No matching integrations"
              action={
                <Button onClick={() => void navigate({ to: '.', search: {}, resetScroll: false })}>
                  Show all {all.total.toLocaleString()}
                </Button>
              }
            >
              Try another word or remove a filter.
            </Empty>
          )
        }
      </Loaded>
      {query.hasNextPage && (
        <div className="grid justify-center p-3">
          <Button look="quiet" size="small" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
      <p role="status" className="px-5 py-2.5 text-faint text-small">
        {counts && rows.length > 0 && `${rows.length.toLocaleString()} of ${counts.total.toLocaleString()} shown`}
        {isNarrowed(workspaceSlug ? own : filters) && counts && `, ${all.total.toLocaleString()} in total`}
      </p>
      {changeable.length > 0 && <OverviewBulkBar orgSlug={orgSlug} selected={selected} onClear={() => setChosen(new Set())} />}
    </Card>
  )
}

/** Up to these all rows are drawn at once. */
const DRAWN = 100

/**
 * A group is drawn only where it is seen, so that a thousand rows scroll as a hundred do. Of single
 * rows the browser would watch a thousand; of larger groups it would draw much that is out of sight.
 */
const GROUP = 20
const skippable = 'block [contain-intrinsic-size:auto_900px] [content-visibility:auto]'

const groupsOf = <Row,>(rows: Row[]): Row[][] =>
  Array.from({ length: Math.ceil(rows.length / GROUP) }, (_, at) => rows.slice(at * GROUP, (at + 1) * GROUP))

const headings = [
  { sort: 'name', name: 'Integration', className: '' },
  { sort: 'workspace', name: 'Workspace', className: 'max-md:hidden' },
  { sort: 'status', name: 'Status', className: '' },
  { sort: 'grantEndsAt', name: 'Expires', className: 'text-right max-md:hidden' },
] as const
