import type { Output } from '@adjoin/contract/operations'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { read } from '../api.ts'
import { Card } from '../design/card.tsx'
import { InlineSelect } from '../design/inline-select.tsx'
import { Loaded } from '../design/loaded.tsx'
import { type Column, Table } from '../design/table.tsx'
import { Time } from '../design/time.tsx'

type Line = Output<'getApiKeyUsage'>['usage'][number]
/** One tool, about one client. */
type Asked = { tool: string; client: string; ok: number; refused: number; failed: number; last: string }

const periods = ['7', '30', '90']

/** What agents asked for with a key, by tool and client. */
export function ApiKeyUsage({ orgSlug, id }: { orgSlug: string; id: string }) {
  const [days, setDays] = useState('30')
  const usage = useQuery(read('getApiKeyUsage', { orgSlug, id, days }))
  const workspaces = useQuery(read('listWorkspaces', { orgSlug })).data?.workspaces
  const clientOf = (slug: string | null) =>
    slug === null ? 'All clients' : (workspaces?.find((workspace) => workspace.slug === slug)?.name ?? slug)
  return (
    <Card
      title="What agents asked for"
      note="Tool calls through the MCP server. Other requests with this key are not listed here."
      action={
        <InlineSelect aria-label="Period" value={days} onChange={(event) => setDays(event.target.value)}>
          {periods.map((count) => (
            <option key={count} value={count}>
              Last {count} days
            </option>
          ))}
        </InlineSelect>
      }
    >
      <Loaded query={usage}>
        {(answer) =>
          answer.usage.length ? (
            <Table
              label="What agents asked for"
              columns={columns}
              rows={byToolAndClient(answer.usage, clientOf)}
              id={({ tool, client }) => `${tool} ${client}`}
            />
          ) : (
            <p className="text-soft">No agent has used this key in this period.</p>
          )
        }
      </Loaded>
    </Card>
  )
}

const columns: Column<Asked>[] = [
  { name: 'Tool', lead: true, cell: ({ tool }) => <code className="font-mono text-small">{tool}</code> },
  { name: 'Client', cell: ({ client }) => <span className="wrap-anywhere">{client}</span> },
  { name: 'Worked', cell: ({ ok }) => ok.toLocaleString() },
  { name: 'Refused', cell: ({ refused }) => refused.toLocaleString() },
  { name: 'Failed', cell: ({ failed }) => failed.toLocaleString() },
  { name: 'Last', cell: ({ last }) => <Time at={last} /> },
]

function byToolAndClient(lines: Line[], clientOf: (slug: string | null) => string): Asked[] {
  const rows = new Map<string, Asked>()
  for (const { tool, workspace, outcome, calls, last } of lines) {
    const key = `${tool} ${workspace}`
    const row = rows.get(key) ?? { tool, client: clientOf(workspace), ok: 0, refused: 0, failed: 0, last }
    row[outcome] += calls
    if (last > row.last) row.last = last
    rows.set(key, row)
  }
  return [...rows.values()]
}
