import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { client } from '../api.ts'
import type { AuditFilters } from '../audit-filters.ts'
import { Button } from '../design/button.tsx'
import { Card } from '../design/card.tsx'
import { Empty } from '../design/empty.tsx'
import { Loaded } from '../design/loaded.tsx'
import { AuditEntry } from './audit-entry.tsx'

type Props = {
  orgSlug: string
  title: string
  note?: string
  /** Whose entries, or about what. */
  of: Pick<Parameters<typeof client.listAuditLogs>[0], 'actor' | 'targetId' | 'workspace'>
  /** Where nothing happened yet. */
  empty: string
  /** All of it happened in the workspace whose page this is. */
  here?: boolean
  /** The same in the audit trail, where its filters can say so. */
  trail?: AuditFilters
}

const LATEST = 20

/** What the audit trail holds about one thing, newest first. */
export function Activity({ orgSlug, title, note, of, empty, here, trail }: Props) {
  const query = useInfiniteQuery({
    queryKey: ['listAuditLogs', { orgSlug, ...of }, 'activity'],
    queryFn: ({ pageParam }) => client.listAuditLogs({ orgSlug, ...of, limit: LATEST, ...(pageParam && { cursor: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
  return (
    <Card
      title={title}
      note={note}
      action={
        trail && (
          <Link to="/organizations/$orgSlug/audit" params={{ orgSlug }} search={trail} className="link text-small">
            Open in the audit trail
          </Link>
        )
      }
      flush
    >
      <Loaded query={query}>
        {({ pages }) => {
          const entries = pages.flatMap(({ auditLogs }) => auditLogs)
          if (!entries.length) return <p className="px-5 py-4 text-soft">{empty}</p>
          return (
            <>
              <ol aria-label={title} className="divide-y divide-line">
                {entries.map((entry) => (
                  <AuditEntry key={entry.id} entry={entry} {...(here && { here })} />
                ))}
              </ol>
              {query.hasNextPage && (
                <div className="grid justify-center border-line border-t p-3">
                  <Button look="quiet" size="small" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                    Show older entries
                  </Button>
                </div>
              )}
            </>
          )
        }}
      </Loaded>
    </Card>
  )
}

/** For those who came by an address that somebody with another role sent them. */
export const NoActivity = () => (
  <div className="card">
    <Empty icon="shield" title="For admins only">
      Only admins of the organization can read the audit trail. Ask one of them what happened here.
    </Empty>
  </div>
)
