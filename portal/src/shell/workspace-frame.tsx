import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet, useParams } from '@tanstack/react-router'
import { read } from '../api.ts'
import { RoleBadge } from '../pages/workspace-marks.tsx'
import { Page } from './shell.tsx'

export function useWorkspace() {
  const { orgSlug, workspaceSlug } = useParams({ from: '/signed-in/organizations/$orgSlug/workspaces/$workspaceSlug' })
  return useSuspenseQuery(read('getWorkspace', { orgSlug, workspaceSlug })).data
}

const tabs = [
  ['Integrations', '/organizations/$orgSlug/workspaces/$workspaceSlug'],
  ['Members', '/organizations/$orgSlug/workspaces/$workspaceSlug/members'],
  ['Settings', '/organizations/$orgSlug/workspaces/$workspaceSlug/settings'],
] as const

export function WorkspaceFrame() {
  const { orgSlug } = useParams({ from: '/signed-in/organizations/$orgSlug/workspaces/$workspaceSlug' })
  const workspace = useWorkspace()
  const params = { orgSlug, workspaceSlug: workspace.slug }
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
    >
      <nav aria-label={workspace.name} className="-mt-1 border-line border-b">
        <ul className="flex gap-4">
          {tabs.map(([name, to]) => (
            <li key={name}>
              <Link
                to={to}
                params={params}
                activeOptions={{ exact: true, includeSearch: false }}
                className="-mb-px block border-transparent border-b-2 py-2 text-soft hover:text-ink data-[status=active]:border-accent data-[status=active]:font-medium data-[status=active]:text-ink"
              >
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Outlet />
    </Page>
  )
}
