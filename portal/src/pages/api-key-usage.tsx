import type { Output } from '@adjoin/contract/operations'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { read } from '../api.ts'
import { Card } from '../design/card.tsx'
import { InlineSelect } from '../design/inline-select.tsx'
import { Loaded } from '../design/loaded.tsx'
import { type Column, Table } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import { useOrganization } from '../shell/organization-frame.tsx'
import { Page } from '../shell/shell.tsx'

type Line = Output<'getApiKeyUsage'>['usage'][number]
/** One tool, about one client. */
type Asked = { tool: string; client: string; ok: number; refused: number; failed: number; last: string }

const periods = ['7', '30', '90']

/** What agents asked for with a key, by tool and client. */
export function ApiKeyUsage() {
  const place = useParams({ from: '/signed-in/organizations/$orgSlug/api-keys/$id' })
  const { name } = useOrganization()
  const { data: key } = useSuspenseQuery(read('getApiKey', place))
  const [days, setDays] = useState('30')
  const usage = useQuery(read('getApiKeyUsage', { ...place, days }))
  const workspaces = useQuery(read('listWorkspaces', { orgSlug: place.orgSlug })).data?.workspaces
  const clientOf = (slug: string | null) =>
    slug === null ? 'All clients' : (workspaces?.find((workspace) => workspace.slug === slug)?.name ?? slug)
  return (
    <Page
      title={key.name}
      of={name}
      lead={
        <Link to="/organizations/$orgSlug/api-keys" params={place} className="link">
          API keys
        </Link>
      }
    >
      <Card
        title="What agents asked for"
        note="Calls of tools through the MCP server. Other requests with this key are not listed here."
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
    </Page>
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
