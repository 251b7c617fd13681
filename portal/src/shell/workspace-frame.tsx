import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet, useMatchRoute, useParams } from '@tanstack/react-router'
import { read } from '../api.ts'
import { TabBar, tabLook } from '../design/tab-bar.tsx'
import { may } from '../may.ts'
import { NewIntegrationLink } from '../pages/new-integration-link.tsx'
import { RoleBadge } from '../pages/workspace-marks.tsx'
import { useOrganization } from './organization-frame.tsx'
import { Page } from './shell.tsx'

export function useWorkspace() {
  const { orgSlug, workspaceSlug } = useParams({ from: '/signed-in/organizations/$orgSlug/workspaces/$workspaceSlug' })
  return useSuspenseQuery(read('getWorkspace', { orgSlug, workspaceSlug })).data
}

const path = '/organizations/$orgSlug/workspaces/$workspaceSlug'
const tabs = [
  ['Overview', path, 'getWorkspace'],
  ['Requests', `${path}/requests`, 'listConnectRequests'],
  ['Members', `${path}/members`, 'listWorkspaceMembers'],
  ['Activity', `${path}/activity`, 'listAuditLogs'],
  ['Settings', `${path}/settings`, 'getWorkspace'],
] as const

export function WorkspaceFrame() {
  const { orgSlug } = useParams({ from: '/signed-in/organizations/$orgSlug/workspaces/$workspaceSlug' })
  const workspace = useWorkspace()
  const some = Object.values(workspace.integrationCounts).some(Boolean)
  const standing = { organization: useOrganization().role, workspace: workspace.role }
  const params = { orgSlug, workspaceSlug: workspace.slug }
  // The requests have a button of their own, and a page has one that leads on.
  const onRequests = useMatchRoute()({ to: `${path}/requests` })
  return (
    <Page
      title={workspace.name}
      lead={
        <span className="flex flex-wrap items-center gap-x-2.5">
          <Link to="/organizations/$orgSlug/workspaces" params={{ orgSlug }} className="link">
            Workspaces
          </Link>
          <span className="wrap-anywhere font-mono text-small">{workspace.slug}</span> <RoleBadge {...workspace} />
        </span>
      }
      // Where there is none yet, the page itself offers it.
      action={some && !onRequests && may('createIntegration', standing) && <NewIntegrationLink place={params} />}
    >
      <TabBar label={workspace.name}>
        {tabs
          .filter(([, , needs]) => may(needs, standing))
          .map(([name, to]) => (
            <li key={name}>
              <Link to={to} params={params} activeOptions={{ exact: true, includeSearch: false }} className={tabLook}>
                {name}
              </Link>
            </li>
          ))}
      </TabBar>
      <Outlet />
    </Page>
  )
}
