import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { read } from '../api.ts'
import { Card } from '../design/card.tsx'
import { Icon } from '../design/icons.tsx'
import { Loaded } from '../design/loaded.tsx'
import { ProviderMark } from '../design/provider-mark.tsx'
import { Time } from '../design/time.tsx'

const SHOWN = 5
const SOON = 30 * 86_400_000

type ComingRow = { id: string; at: string; mark: ReactNode; link: ReactNode; note: string }

const linkLook = 'truncate font-medium after:absolute after:inset-0'

type ComingUpProps = { orgSlug: string /** Only of this one. */; workspaceSlug?: string; withKeys: boolean }

/** Access and keys that expire within 30 days, the next one first. */
export function OverviewComingUp({ orgSlug, workspaceSlug, withKeys }: ComingUpProps) {
  const query = useQuery(
    read('listOrganizationIntegrations', {
      ...{ orgSlug, workspace: workspaceSlug },
      ...{ expiringWithin: 30, sort: 'grantEndsAt', counts: 'true', limit: SHOWN },
    }),
  )
  const keys = useQuery({ ...read('listApiKeys', { orgSlug }), enabled: withKeys }).data?.apiKeys ?? []
  const now = Date.now()
  const expiring: ComingRow[] = keys
    .filter((key) => workspaceSlug === undefined || key.workspaceSlug === workspaceSlug)
    .filter(({ expiresAt }) => expiresAt && Date.parse(expiresAt) > now && Date.parse(expiresAt) < now + SOON)
    .map(({ id, name, expiresAt, replacedAt }) => ({
      id,
      at: expiresAt!,
      mark: <Icon name="key" className="mx-1 text-faint" />,
      link: (
        <Link to="/organizations/$orgSlug/api-keys/$id" params={{ orgSlug, id }} className={linkLook}>
          {name}
        </Link>
      ),
      note: replacedAt ? 'API key, already replaced' : 'API key',
    }))
  return (
    <Card title="Coming up" note="Access and keys that expire within 30 days." flush>
      <Loaded query={query}>
        {({ integrations, counts }) => {
          const ending = integrations.map(({ id, name, provider, category, workspace, health }) => ({
            id,
            at: health.grantEndsAt!,
            mark: <ProviderMark provider={provider} category={category} />,
            link: (
              <Link
                to="/organizations/$orgSlug/workspaces/$workspaceSlug/integrations/$id"
                params={{ orgSlug, workspaceSlug: workspace.slug, id }}
                className={linkLook}
              >
                {name}
              </Link>
            ),
            note: [workspaceSlug === undefined && workspace.name, health.grantEnd === 'estimated' && 'estimated']
              .filter(Boolean)
              .join(' · '),
          }))
          const rows = [...ending, ...expiring].toSorted((a, b) => a.at.localeCompare(b.at)).slice(0, SHOWN)
          if (!rows.length) return <p className="px-5 py-4 text-soft">Nothing expires soon.</p>
          return (
            <>
              <ul className="py-1.5">
                {rows.map(({ id, at, mark, link, note }) => (
                  <li key={id} className="relative flex items-center gap-3 px-5 py-2 hover:bg-sunken/50">
                    {mark}
                    <span className="grid min-w-0 flex-1">
                      {link}
                      <span className="truncate text-faint text-small">{note}</span>
                    </span>
                    <Time at={at} className="text-small text-soft" />
                  </li>
                ))}
              </ul>
              {counts && counts.total > ending.length && (
                <Link
                  to="."
                  search={{ expiringWithin: '30', sort: 'grantEndsAt' }}
                  hash="integrations"
                  className="link mx-5 mb-3 inline-block text-small"
                >
                  Show all {counts.total.toLocaleString()} connections
                </Link>
              )}
            </>
          )
        }}
      </Loaded>
    </Card>
  )
}
