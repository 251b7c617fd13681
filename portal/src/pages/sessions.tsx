import type { Output } from '@adjoin/contract/operations'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client, queryClient, read, useChange } from '../api.ts'
import { Badge } from '../design/badge.tsx'
import { Button } from '../design/button.tsx'
import { Card } from '../design/card.tsx'
import { Confirm } from '../design/confirm.tsx'
import { Loaded } from '../design/loaded.tsx'
import { type Column, Table } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import { toast } from '../design/toast.tsx'
import { browserOf } from '../format.ts'
import { forgetSession } from '../session.ts'

type Session = Output<'listMySessions'>['sessions'][number]

const methods: Record<Session['method'], string> = {
  'magic-link': 'by email',
  google: 'with Google',
  microsoft: 'with Microsoft',
  device: 'on a device',
}

/** Where I am signed in, and the way to end it. */
export function Sessions() {
  const sessions = useQuery(read('listMySessions'))
  const end = useChange(
    (id: string) => client.revokeMySession({ id }),
    () => toast('Signed out.'),
  )
  const columns: Column<Session>[] = [
    {
      name: 'Where',
      lead: true,
      cell: ({ userAgent, current }) => (
        <span className="inline-flex flex-wrap items-center gap-2 font-medium">
          {browserOf(userAgent)} {current && <Badge tone="good">this session</Badge>}
        </span>
      ),
    },
    {
      name: 'Signed in',
      cell: ({ method, createdAt }) => (
        <span>
          <Time at={createdAt} /> {methods[method]}
        </span>
      ),
    },
    { name: 'IP address', cell: ({ ip }) => <span className="font-mono text-small">{ip ?? 'unknown'}</span> },
    { name: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
    {
      name: 'Actions',
      actions: true,
      cell: ({ id, current, userAgent }) =>
        !current && (
          <Button
            size="small"
            busy={end.isPending && end.variables === id}
            onClick={() => end.mutate(id)}
            aria-label={`Sign out ${browserOf(userAgent)}`}
          >
            Sign out
          </Button>
        ),
    },
  ]
  return (
    <Card title="Sessions" note="Where you’re signed in. Sessions expire after 7 days without use." action={<EndAll />} flush>
      <Loaded query={sessions}>{(data) => <Table label="My sessions" columns={columns} rows={data.sessions} id={({ id }) => id} />}</Loaded>
    </Card>
  )
}

function EndAll() {
  const [open, setOpen] = useState(false)
  const navigate = useNavigate()
  const endAll = useChange(
    () => client.signOutEverywhere(),
    async () => {
      forgetSession()
      await navigate({ to: '/signin' })
      queryClient.clear()
    },
  )
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        Sign out everywhere
      </Button>
      {open && (
        <Confirm
          title="Sign out everywhere?"
          action="Sign out everywhere"
          change={endAll}
          onConfirm={() => endAll.mutate()}
          onClose={() => setOpen(false)}
        >
          <p>You’ll be signed out immediately here, in other browsers and on command lines. API keys keep working.</p>
        </Confirm>
      )}
    </>
  )
}
