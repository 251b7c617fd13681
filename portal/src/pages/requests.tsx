import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { live, read, type WorkspaceParams } from '../api.ts'
import { Badge } from '../design/badge.tsx'
import { Button } from '../design/button.tsx'
import { Card } from '../design/card.tsx'
import { Empty } from '../design/empty.tsx'
import { ListBar, NoneFound } from '../design/list-bar.tsx'
import { type Column, Table } from '../design/table.tsx'
import { Expires, Time } from '../design/time.tsx'
import { useList } from '../list.ts'
import { may } from '../may.ts'
import { type ConnectRequest, clientOf, countItems, isClosed, progressOf, requestWords, type Stand, standOf } from '../request-words.ts'
import { useWorkspace } from '../shell/workspace-frame.tsx'
import { NewRequestLink } from './new-request-link.tsx'
import { WhereStuck } from './requests-stuck.tsx'

/** What this client was asked to connect, and how far they are. */
export function Requests() {
  const place: WorkspaceParams = useParams({ from: '/signed-in/organizations/$orgSlug/workspaces/$workspaceSlug' })
  const { data } = useSuspenseQuery(live(read('listConnectRequests', place)))
  const mayCreate = may('createConnectRequest', { workspace: useWorkspace().role })
  const requests = data.connectRequests
  const columns = columnsFor(place, requests)
  const list = useList(requests, {
    columns,
    text: ({ title, clientName, clientEmail, items }) =>
      [title, clientName, clientEmail, ...items.flatMap(({ name, providerName }) => [name, providerName])].join(' '),
    filters: [
      {
        name: 'status',
        label: 'Status',
        any: 'Any status',
        of: standOf,
        say: (stand) => requestWords[stand as Stand].words,
      },
    ],
    isHidden: ({ status }) => status === 'canceled',
  })
  if (!requests.length)
    return (
      <div className="card">
        <Empty icon="send" title="No requests yet" action={mayCreate && <NewRequestLink place={place} />}>
          {mayCreate
            ? 'Send one link for everything your client has to connect, and follow their progress here.'
            : 'Members of this workspace can ask a client to connect several ad systems with one link. You can follow their progress here.'}
        </Empty>
      </div>
    )
  return (
    <>
      <Card
        title="Requests"
        note="One link each, for everything that a client has to connect."
        action={mayCreate && <NewRequestLink place={place} />}
        flush
      >
        <ListBar list={list} noun="requests" placeholder="Title, client, ad system…" />
        {list.rows.length ? (
          <Table label="Requests" columns={columns} rows={list.rows} id={({ id }) => id} sorting={list.sorting} oneLine />
        ) : list.total ? (
          <NoneFound list={list} noun="requests" />
        ) : (
          <p className="px-5 py-4 text-faint">All requests are canceled.</p>
        )}
        {list.hiddenCount > 0 && (
          <div className="border-line border-t px-3 py-1.5">
            <Button look="quiet" size="small" onClick={list.toggleHidden}>
              {list.showsHidden ? 'Hide canceled' : `Show ${list.hiddenCount} canceled`}
            </Button>
          </div>
        )}
      </Card>
      <WhereStuck requests={requests} />
    </>
  )
}

const columnsFor = (place: WorkspaceParams, requests: ConnectRequest[]): Column<ConnectRequest>[] => [
  {
    name: 'Request',
    lead: true,
    sort: ({ title }) => title,
    cell: ({ id, title }) => (
      <Link
        to="/organizations/$orgSlug/workspaces/$workspaceSlug/requests/$requestId"
        params={{ ...place, requestId: id }}
        title={title}
        className="block truncate font-medium"
      >
        {title}
      </Link>
    ),
  },
  // Where nobody is named, or may be seen, it tells nothing.
  ...(requests.some(clientOf) ? [clientColumn] : []),
  {
    name: 'Status',
    bare: true,
    sort: (request) => requestWords[standOf(request)].words,
    cell: (request) => {
      const { words, tone } = requestWords[standOf(request)]
      return <Badge tone={tone}>{words}</Badge>
    },
  },
  {
    name: 'Progress',
    bare: true,
    sort: (request) => countItems(request, 'connected', 'declined') / request.items.length,
    cell: (request) => <span className="text-soft">{progressOf(request)}</span>,
  },
  {
    name: 'Emailed',
    minor: true,
    sort: ({ sentAt }) => (sentAt ? Date.parse(sentAt) : null),
    cell: (request) =>
      request.sentAt ? <Time at={request.sentAt} /> : !isClosed(request) && <span className="text-faint">not emailed</span>,
  },
  {
    name: 'Expires',
    bare: true,
    sort: (request) => (isClosed(request) ? null : Date.parse(request.expiresAt)),
    cell: (request) => !isClosed(request) && <Expires at={request.expiresAt} />,
  },
]

const clientColumn: Column<ConnectRequest> = {
  name: 'Client',
  bare: true,
  sort: clientOf,
  cell: (request) => {
    const client = clientOf(request)
    return (
      client && (
        <span className="inline-block max-w-56 truncate align-middle" title={request.clientEmail ?? undefined}>
          {client}
        </span>
      )
    )
  },
}
