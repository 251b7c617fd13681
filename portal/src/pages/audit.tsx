import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { client } from '../api.ts'
import { asQuery } from '../audit-filters.ts'
import { Button } from '../design/button.tsx'
import { Empty } from '../design/empty.tsx'
import { Icon } from '../design/icons.tsx'
import { Menu, MenuLink } from '../design/menu.tsx'
import { Notice } from '../design/notice.tsx'
import { Skeleton } from '../design/skeleton.tsx'
import { explain } from '../problem.ts'
import { useOrganization } from '../shell/organization-frame.tsx'
import { Page } from '../shell/shell.tsx'
import { AuditChain } from './audit-chain.tsx'
import { AuditEntry } from './audit-entry.tsx'
import { AuditFilterBar } from './audit-filter-bar.tsx'

export function Audit() {
  const { id, slug: orgSlug, name } = useOrganization()
  const filters = useSearch({ from: '/signed-in/organizations/$orgSlug/audit' })
  const navigate = useNavigate({ from: '/organizations/$orgSlug/audit' })
  const filtered = Object.keys(filters).length > 0
  const query = asQuery(filters)
  const trail = useInfiniteQuery({
    queryKey: ['listAuditLogs', { orgSlug, ...query }, 'pages'],
    queryFn: ({ pageParam }) => client.listAuditLogs({ orgSlug, ...query, limit: 50, ...(pageParam && { cursor: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
  const entries = trail.data?.pages.flatMap(({ auditLogs }) => auditLogs)
  return (
    <Page
      title="Audit trail"
      of={name}
      lead="Who did what, when and from where. Entries are never changed or removed."
      action={<Export orgSlug={orgSlug} query={query} />}
    >
      <AuditFilterBar orgSlug={orgSlug} filters={filters} onFilter={(next) => void navigate({ search: next, replace: true })} />
      {!filtered && entries && entries.length > 0 && <AuditChain organizationId={id} orgSlug={orgSlug} entries={entries} />}
      <div className="card overflow-clip">
        {trail.error && (
          <div className="p-5">
            <Notice tone="bad" {...explain(trail.error)} />
          </div>
        )}
        {entries?.length === 0 && (
          <Empty icon="list" title="No matching entries" action={<Button onClick={() => void navigate({ search: {} })}>Show all</Button>}>
            Choose a wider date range or remove a filter.
          </Empty>
        )}
        <ol className="divide-y divide-line">
          {entries?.map((entry) => (
            <AuditEntry key={entry.id} entry={entry} />
          ))}
        </ol>
        {trail.isPending && <Rows />}
        {trail.hasNextPage && <Further busy={trail.isFetchingNextPage} more={() => void trail.fetchNextPage()} />}
      </div>
      {entries && !trail.hasNextPage && entries.length > 0 && <p className="text-center text-faint text-small">You’ve reached the end.</p>}
    </Page>
  )
}

const Rows = () => (
  <div className="grid gap-5 p-5" role="status">
    <span className="sr-only">Loading…</span>
    {['w-2/3', 'w-1/2', 'w-3/5', 'w-2/5'].map((width) => (
      <Skeleton key={width} className={`h-4 ${width}`} />
    ))}
  </div>
)

/** Reads on when it comes into sight; the button is there for those who do not scroll. */
function Further({ busy, more }: { busy: boolean; more: () => void }) {
  const end = useRef<HTMLDivElement>(null)
  const latest = useRef(more)
  latest.current = more
  useEffect(() => {
    const watcher = new IntersectionObserver(([seen]) => seen?.isIntersecting && latest.current(), { rootMargin: '400px' })
    if (end.current) watcher.observe(end.current)
    return () => watcher.disconnect()
  }, [])
  return (
    <div ref={end} className="grid justify-center border-line border-t p-3">
      <Button look="quiet" size="small" busy={busy} onClick={more}>
        Show older entries
      </Button>
    </div>
  )
}

function Export({ orgSlug, query }: { orgSlug: string; query: Record<string, string> }) {
  const href = (format: string) => `/v1/organizations/${orgSlug}/audit-logs/export?${new URLSearchParams({ ...query, format })}`
  return (
    <Menu
      trigger={
        <Button>
          <Icon name="download" /> Export
        </Button>
      }
    >
      <MenuLink>
        <a href={href('csv')} download>
          CSV, for spreadsheets
        </a>
      </MenuLink>
      <MenuLink>
        <a href={href('ndjson')} download>
          NDJSON, to verify offline
        </a>
      </MenuLink>
    </Menu>
  )
}
