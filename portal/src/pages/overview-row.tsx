import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { Badge } from '../design/badge.tsx'
import { ProviderMark } from '../design/provider-mark.tsx'
import { Time } from '../design/time.tsx'
import { tones, turnOf } from '../integration-words.ts'
import type { FoundIntegration } from '../overview.ts'

/** One grid for the heading and the rows, which are drawn group by group: a table's own layout would measure all of them. */
export const columns =
  'grid items-center gap-x-3 px-5 grid-cols-[auto_minmax(0,1fr)_auto] md:grid-cols-[1rem_minmax(0,1.9fr)_minmax(0,1.1fr)_minmax(0,1.7fr)_6.5rem]'

type RowProps = {
  orgSlug: string
  /** In the list of its own workspace, the account stands where the workspace would. */
  atHome: boolean
  integration: FoundIntegration
  selected: boolean
  /** Left out where the role does not allow to change it. */
  onSelect: ((id: string, selected: boolean) => void) | undefined
}

export const OverviewRow = memo(function OverviewRow({ orgSlug, atHome, integration, selected, onSelect }: RowProps) {
  const { id, name, provider, providerName, category, status, workspace, connectedAccount, health, statusDetail, lastError } = integration
  return (
    <tr
      data-row={id}
      className={`${columns} relative min-h-11 border-line border-b py-1.5 focus-within:bg-sunken/60 hover:bg-sunken/50 ${selected ? 'bg-accent-tint/50' : ''}`}
    >
      <td className="relative z-10 row-span-2 grid size-4 md:row-span-1">
        {onSelect && (
          <input
            type="checkbox"
            aria-label={`Select ${name}`}
            checked={selected}
            onChange={(event) => onSelect(id, event.target.checked)}
            className="size-4 accent-accent"
          />
        )}
      </td>
      <td className="flex min-w-0 items-center gap-2.5">
        <ProviderMark provider={provider} category={category} />
        <span className="sr-only">{providerName}: </span>
        <Link
          to="/organizations/$orgSlug/workspaces/$workspaceSlug/integrations/$id"
          params={{ orgSlug, workspaceSlug: workspace.slug, id }}
          preload={false}
          title={`${name} (${providerName})`}
          className="truncate font-medium after:absolute after:inset-0"
        >
          {name}
        </Link>
      </td>
      <td className="truncate text-soft max-md:col-start-2 max-md:row-start-2 max-md:pl-8.5 max-md:text-small">
        {atHome ? <span title={connectedAccount ?? undefined}>{connectedAccount}</span> : workspace.name}
      </td>
      <td className="flex min-w-0 items-center gap-2 max-md:col-start-3 max-md:row-start-1">
        <Badge tone={tones[status]}>{status}</Badge>
        <span className="truncate text-small text-soft max-md:hidden" title={statusDetail ?? lastError ?? undefined}>
          {turnOf(integration)}
        </span>
      </td>
      <td className="truncate text-right text-small text-soft max-md:col-start-3 max-md:row-start-2 max-md:empty:hidden">
        {health.grantEndsAt && <Time at={health.grantEndsAt} />}
      </td>
    </tr>
  )
})
