import { useQueryClient } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { Badge } from '../design/badge.tsx'
import { ProviderMark } from '../design/provider-mark.tsx'
import { TabBar, tabLook } from '../design/tab-bar.tsx'
import { type HealthyIntegration, tones } from '../integration-words.ts'
import { may } from '../may.ts'
import { Page } from '../shell/shell.tsx'
import { useWorkspace } from '../shell/workspace-frame.tsx'
import { IntegrationActions } from './integration-actions.tsx'
import { useIntegration } from './use-integration.ts'

const path = '/organizations/$orgSlug/workspaces/$workspaceSlug/integrations/$id'
const tabs = [
  ['Overview', path, 'getIntegration'],
  ['Use it', `${path}/use`, 'proxyGet'],
  ['Checks', `${path}/checks`, 'listIntegrationChecks'],
  ['Activity', `${path}/activity`, 'listAuditLogs'],
  ['Settings', `${path}/settings`, 'getIntegration'],
] as const

export function IntegrationFrame() {
  const props = useIntegration()
  const { place, integration, standing } = props
  const workspace = useWorkspace()
  useFollowed(integration)
  return (
    <Page
      title={integration.name}
      of={workspace.name}
      lead={
        <span className="flex flex-wrap items-center gap-x-2.5">
          <Link to="/organizations/$orgSlug/workspaces/$workspaceSlug" params={place} className="link">
            {workspace.name}
          </Link>
          <span className="inline-flex items-center gap-1.5">
            <ProviderMark {...integration} className="size-5" />
            {integration.providerName}
          </span>
          <Badge tone={tones[integration.status]}>{integration.status}</Badge>
        </span>
      }
      action={<IntegrationActions {...props} />}
    >
      <TabBar label={integration.name}>
        {tabs
          .filter(([, , needs]) => may(needs, standing))
          .map(([name, to]) => (
            <li key={name}>
              <Link to={to} params={place} activeOptions={{ exact: true, includeSearch: false }} className={tabLook}>
                {name}
              </Link>
            </li>
          ))}
      </TabBar>
      <Outlet />
    </Page>
  )
}

/** What is kept beside the integration is read again once it was connected or checked, also for the first time. */
function useFollowed({ connectedAt, statusCheckedAt, lastErrorAt, status }: HealthyIntegration): void {
  const queries = useQueryClient()
  const now = [connectedAt, statusCheckedAt, lastErrorAt, status].join()
  const before = useRef(now)
  useEffect(() => {
    if (before.current === now) return
    before.current = now
    for (const id of ['listIntegrationChecks', 'listIntegrationAccounts', 'listAuditLogs'])
      void queries.invalidateQueries({ queryKey: [id] })
  }, [now, queries])
}
