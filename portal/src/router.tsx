import type { FetchQueryOptions, QueryKey } from '@tanstack/react-query'
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router'
import { queryClient, read } from './api.ts'
import { auditFilters } from './audit-filters.ts'
import { SkeletonFrame, SkeletonPage } from './design/skeleton.tsx'
import { overviewFilters } from './overview.ts'
import { Account } from './pages/account.tsx'
import { BrowserFlowError } from './pages/error.tsx'
import { Home } from './pages/home.tsx'
import { NotFound } from './pages/not-found.tsx'
import { SignIn } from './pages/sign-in.tsx'
import { SignInDone } from './pages/sign-in-done.tsx'
import { SignInLink } from './pages/sign-in-link.tsx'
import { SignUp } from './pages/sign-up.tsx'
import { parseSearch, stringifySearch } from './search-text.ts'
import { refusedSession, rememberSession } from './session.ts'
import { OrganizationFrame } from './shell/organization-frame.tsx'
import { RouteError } from './shell/route-error.tsx'
import { Shell } from './shell/shell.tsx'

const text = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined)
const texts =
  <Name extends string>(...names: Name[]) =>
  (search: Record<string, unknown>) =>
    Object.fromEntries(names.map((name) => [name, text(search[name])])) as { [N in Name]?: string }

/** What a page cannot do without is asked for on the way there, for its frame and itself at once. */
const ready = <Data, Key extends QueryKey>(query: FetchQueryOptions<Data, Error, Data, Key>) => queryClient.ensureQueryData(query)

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound })
const page = { getParentRoute: () => root } as const

const home = createRoute({ ...page, path: '/', component: Home })
const signUp = createRoute({ ...page, path: '/signup', component: SignUp })
const signIn = createRoute({
  ...page,
  path: '/signin',
  component: SignIn,
  validateSearch: (search): { callbackURL?: string } => ({ callbackURL: text(search.callbackURL) }),
})
const signInLink = createRoute({ ...page, path: '/signin/link', component: SignInLink })
const signInDone = createRoute({
  ...page,
  path: '/signin/done',
  component: SignInDone,
  validateSearch: texts('to', 'signUp', 'signUpReason', 'organizationSlug'),
})
const error = createRoute({
  ...page,
  path: '/error',
  component: BrowserFlowError,
  validateSearch: (search): { code?: string } => ({ code: text(search.code) }),
})
const invitation = createRoute({
  ...page,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./pages/invitation.tsx'), 'Invitation'),
})
const mailbox = createRoute({
  ...page,
  path: '/dev/mailbox',
  component: lazyRouteComponent(() => import('./pages/mailbox.tsx'), 'Mailbox'),
})
const docs = createRoute({ ...page, path: '/docs', component: lazyRouteComponent(() => import('./pages/docs.tsx'), 'Docs') })

/** Everything below needs a session; whoever has none signs in first and comes back to the same place. */
const signedIn = createRoute({
  ...page,
  id: 'signed-in',
  component: Shell,
  pendingComponent: SkeletonFrame,
  beforeLoad: async ({ location }) => {
    await queryClient.ensureQueryData(read('getSession')).then(rememberSession, (problem) => {
      if (refusedSession(problem)) throw redirect({ to: '/signin', search: { callbackURL: location.href }, replace: true })
      throw problem
    })
  },
})
const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: Account,
  pendingComponent: SkeletonFrame,
  loader: () => ready(read('getMe')),
})
const device = createRoute({
  getParentRoute: () => signedIn,
  path: '/device',
  pendingComponent: SkeletonFrame,
  component: lazyRouteComponent(() => import('./pages/device.tsx'), 'Device'),
  validateSearch: (search): { code?: string } => ({ code: text(search.code) }),
})
const organization = createRoute({
  getParentRoute: () => signedIn,
  path: '/organizations/$orgSlug',
  loader: ({ params: { orgSlug } }) => ready(read('getOrganization', { orgSlug })),
  component: OrganizationFrame,
  pendingComponent: SkeletonFrame,
})
const inOrganization = { getParentRoute: () => organization } as const
const organizationHome = createRoute({
  ...inOrganization,
  path: '/',
  validateSearch: overviewFilters,
  component: lazyRouteComponent(() => import('./pages/organization-home.tsx'), 'OrganizationHome'),
})
const workspaces = createRoute({
  ...inOrganization,
  path: '/workspaces',
  loader: ({ params: { orgSlug } }) => ready(read('listWorkspaces', { orgSlug })),
  component: lazyRouteComponent(() => import('./pages/workspaces.tsx'), 'Workspaces'),
})
const members = createRoute({
  ...inOrganization,
  path: '/members',
  loader: ({ params: { orgSlug } }) => ready(read('listOrganizationMembers', { orgSlug })),
  component: lazyRouteComponent(() => import('./pages/members.tsx'), 'Members'),
})
const apiKeys = createRoute({
  ...inOrganization,
  path: '/api-keys',
  loader: ({ params: { orgSlug } }) => ready(read('listApiKeys', { orgSlug })),
  component: lazyRouteComponent(() => import('./pages/api-keys.tsx'), 'ApiKeys'),
})
const apiKeyUsage = createRoute({
  ...inOrganization,
  path: '/api-keys/$id',
  loader: ({ params: { orgSlug, id } }) => ready(read('getApiKey', { orgSlug, id })),
  component: lazyRouteComponent(() => import('./pages/api-key-usage.tsx'), 'ApiKeyUsage'),
})
const webhooks = createRoute({
  ...inOrganization,
  path: '/webhooks',
  loader: ({ params: { orgSlug } }) => ready(read('listWebhooks', { orgSlug })),
  component: lazyRouteComponent(() => import('./pages/webhooks.tsx'), 'Webhooks'),
})
const webhook = createRoute({
  ...inOrganization,
  path: '/webhooks/$id',
  loader: ({ params: { orgSlug, id } }) => ready(read('getWebhook', { orgSlug, id })),
  component: lazyRouteComponent(() => import('./pages/webhook.tsx'), 'WebhookPage'),
})
const audit = createRoute({
  ...inOrganization,
  path: '/audit',
  component: lazyRouteComponent(() => import('./pages/audit.tsx'), 'Audit'),
  validateSearch: auditFilters,
})
const settings = createRoute({
  ...inOrganization,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages/organization-settings.tsx'), 'OrganizationSettings'),
})
const workspace = createRoute({
  ...inOrganization,
  path: '/workspaces/$workspaceSlug',
  loader: ({ params: { orgSlug, workspaceSlug } }) => ready(read('getWorkspace', { orgSlug, workspaceSlug })),
})
/** The workspace's own pages stand in one frame; an integration is a page of its own. */
const workspaceFrame = createRoute({
  getParentRoute: () => workspace,
  id: 'frame',
  component: lazyRouteComponent(() => import('./shell/workspace-frame.tsx'), 'WorkspaceFrame'),
})
const inWorkspace = { getParentRoute: () => workspaceFrame } as const
const workspaceHome = createRoute({
  ...inWorkspace,
  path: '/',
  loader: ({ params: { orgSlug, workspaceSlug } }) => ready(read('listIntegrations', { orgSlug, workspaceSlug })),
  validateSearch: texts('status', 'provider', 'search'),
  component: lazyRouteComponent(() => import('./pages/workspace-home.tsx'), 'WorkspaceHome'),
})
const workspaceMembers = createRoute({
  ...inWorkspace,
  path: '/members',
  loader: ({ params: { orgSlug, workspaceSlug } }) => ready(read('listWorkspaceMembers', { orgSlug, workspaceSlug })),
  component: lazyRouteComponent(() => import('./pages/workspace-members.tsx'), 'WorkspaceMembers'),
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
const integration = createRoute({
  getParentRoute: () => workspace,
  path: '/integrations/$id',
  loader: ({ params: { orgSlug, workspaceSlug, id } }) =>
    Promise.all([ready(read('getIntegration', { orgSlug, workspaceSlug, id })), ready(read('listProviders'))]),
  component: lazyRouteComponent(() => import('./pages/integration.tsx'), 'IntegrationPage'),
})

export const router = createRouter({
  parseSearch,
  stringifySearch,
  routeTree: root.addChildren([
    home,
    signUp,
    signIn,
    signInLink,
    signInDone,
    error,
    invitation,
    mailbox,
    docs,
    signedIn.addChildren([
      account,
      device,
      organization.addChildren([
        organizationHome,
        workspaces,
        workspace.addChildren([
          workspaceFrame.addChildren([workspaceHome, workspaceMembers, workspaceSettings]),
          newIntegration,
          integration,
        ]),
        members,
        apiKeys,
        apiKeyUsage,
        webhooks,
        webhook,
        audit,
        settings,
      ]),
    ]),
  ]),
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultPendingComponent: SkeletonPage,
  defaultPendingMs: 150,
  defaultPendingMinMs: 0,
  defaultErrorComponent: RouteError,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface HistoryState {
    /** The address a code was mailed to: kept with the page, not in its address. */
    mailedTo?: string
  }
}
