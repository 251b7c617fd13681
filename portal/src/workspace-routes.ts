import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { read } from './api.ts'
import { inOrganization, ready, text } from './base-routes.tsx'
import { checkFilters } from './check-list.ts'
import { overviewFilters } from './overview.ts'

const workspace = createRoute({
  ...inOrganization,
  path: '/workspaces/$workspaceSlug',
  loader: ({ params: { orgSlug, workspaceSlug } }) => ready(read('getWorkspace', { orgSlug, workspaceSlug })),
})
/** The pages of the workspace share one frame; the pages of an integration have their own. */
const workspaceFrame = createRoute({
  getParentRoute: () => workspace,
  id: 'frame',
  component: lazyRouteComponent(() => import('./shell/workspace-frame.tsx'), 'WorkspaceFrame'),
})
const inWorkspace = { getParentRoute: () => workspaceFrame } as const
const workspaceHome = createRoute({
  ...inWorkspace,
  path: '/',
  validateSearch: overviewFilters,
  component: lazyRouteComponent(() => import('./pages/workspace-home.tsx'), 'WorkspaceHome'),
})
const requests = createRoute({
  ...inWorkspace,
  path: '/requests',
  loader: ({ params: { orgSlug, workspaceSlug } }) => ready(read('listConnectRequests', { orgSlug, workspaceSlug })),
  component: lazyRouteComponent(() => import('./pages/requests.tsx'), 'Requests'),
})
const workspaceMembers = createRoute({
  ...inWorkspace,
  path: '/members',
  loader: ({ params: { orgSlug, workspaceSlug } }) => ready(read('listWorkspaceMembers', { orgSlug, workspaceSlug })),
  component: lazyRouteComponent(() => import('./pages/workspace-members.tsx'), 'WorkspaceMembers'),
})
const workspaceActivity = createRoute({
  ...inWorkspace,
  path: '/activity',
  component: lazyRouteComponent(() => import('./pages/workspace-activity.tsx'), 'WorkspaceActivity'),
})
const workspaceSettings = createRoute({
  ...inWorkspace,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages/workspace-settings.tsx'), 'WorkspaceSettings'),
})
const newIntegration = createRoute({
  getParentRoute: () => workspace,
  path: '/integrations/new',
  loader: () => ready(read('listProviders')),
  validateSearch: (search): { provider?: string } => ({ provider: text(search.provider) }),
  component: lazyRouteComponent(() => import('./pages/new-integration.tsx'), 'NewIntegration'),
})
const newRequest = createRoute({
  getParentRoute: () => workspace,
  path: '/requests/new',
  loader: () => ready(read('listProviders')),
  component: lazyRouteComponent(() => import('./pages/new-request.tsx'), 'NewRequest'),
})
const request = createRoute({
  getParentRoute: () => workspace,
  path: '/requests/$requestId',
  loader: ({ params: { orgSlug, workspaceSlug, requestId } }) => ready(read('getConnectRequest', { orgSlug, workspaceSlug, requestId })),
  component: lazyRouteComponent(() => import('./pages/request.tsx'), 'RequestPage'),
})
const integration = createRoute({
  getParentRoute: () => workspace,
  path: '/integrations/$id',
  loader: ({ params: { orgSlug, workspaceSlug, id } }) =>
    Promise.all([ready(read('getIntegration', { orgSlug, workspaceSlug, id })), ready(read('listProviders'))]),
  component: lazyRouteComponent(() => import('./pages/integration-frame.tsx'), 'IntegrationFrame'),
})
const inIntegration = { getParentRoute: () => integration } as const
const integrationOverview = createRoute({
  ...inIntegration,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/integration.tsx'), 'IntegrationOverview'),
})
const integrationUse = createRoute({
  ...inIntegration,
  path: '/use',
  component: lazyRouteComponent(() => import('./pages/integration-use.tsx'), 'IntegrationUse'),
})
const integrationChecks = createRoute({
  ...inIntegration,
  path: '/checks',
  validateSearch: checkFilters,
  component: lazyRouteComponent(() => import('./pages/integration-checks.tsx'), 'IntegrationChecks'),
})
const integrationActivity = createRoute({
  ...inIntegration,
  path: '/activity',
  component: lazyRouteComponent(() => import('./pages/integration-activity.tsx'), 'IntegrationActivity'),
})
const integrationSettings = createRoute({
  ...inIntegration,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages/integration-settings.tsx'), 'IntegrationSettings'),
})

export const workspaceRoutes = workspace.addChildren([
  workspaceFrame.addChildren([workspaceHome, requests, workspaceMembers, workspaceActivity, workspaceSettings]),
  newIntegration,
  newRequest,
  request,
  integration.addChildren([integrationOverview, integrationUse, integrationChecks, integrationActivity, integrationSettings]),
])
