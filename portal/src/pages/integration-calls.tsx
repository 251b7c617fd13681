import { useInfiniteQuery } from '@tanstack/react-query'
import { client, type IntegrationParams } from '../api.ts'
import { endingOf, type IntegrationCall } from '../call-words.ts'
import { Badge } from '../design/badge.tsx'
import { Button } from '../design/button.tsx'
import { Card } from '../design/card.tsx'
import { Empty } from '../design/empty.tsx'
import { Loaded } from '../design/loaded.tsx'
import { type Column, Table } from '../design/table.tsx'
import { Time } from '../design/time.tsx'

const LATEST = 10

/** What programs changed through the connection, and what went wrong. */
export function IntegrationCalls({ place }: { place: IntegrationParams }) {
  const query = useInfiniteQuery({
    queryKey: ['listIntegrationCalls', place, 'pages'],
    queryFn: ({ pageParam }) => client.listIntegrationCalls({ ...place, limit: LATEST, ...(pageParam && { cursor: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
  return (
    <Card title="Changes and failed calls" note="Kept for 90 days. Reads that worked are not listed." flush>
      <Loaded query={query}>
        {({ pages }) => {
          const calls = pages.flatMap(({ calls }) => calls)
          if (calls.length === 0)
            return (
              <Empty icon="list" title="Nothing to show yet">
                When a program changes something through this connection, or a call fails, you’ll see it here.
              </Empty>
            )
          return (
            <>
              <Table label="Changes and failed calls" columns={columns} rows={calls} id={({ id }) => id} />
              {query.hasNextPage && (
                <div className="grid justify-center border-line border-t p-3">
                  <Button look="quiet" size="small" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                    Show older calls
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

const columns: Column<IntegrationCall>[] = [
  {
    name: 'Call',
    lead: true,
    cell: ({ method, path, host, effect, outcome, vendorRequestId }) => (
      <span className="grid gap-0.5">
        <code className="wrap-anywhere font-mono text-small">
          {method} {path}
        </code>
        <span className="wrap-anywhere text-faint text-small">
          {effect === 'change' ? 'Change at' : 'Read from'} {host}
          {outcome !== 'ok' && vendorRequestId && `, request ${vendorRequestId}`}
        </span>
      </span>
    ),
  },
  { name: 'Caller', cell: ({ callerName, callerType }) => <span className="wrap-anywhere">{callerOf(callerName, callerType)}</span> },
  {
    name: 'Result',
    cell: (call) => {
      const { words, tone } = endingOf(call)
      return <Badge tone={tone}>{words}</Badge>
    },
  },
  { name: 'When', cell: ({ at }) => <Time at={at} className="text-soft" /> },
]

const callerOf = (name: string, type: IntegrationCall['callerType']) => (type === 'apiKey' ? `${name || 'Unnamed'} (API key)` : name)
