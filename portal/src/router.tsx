import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { read } from './api.ts'
import { auditFilters } from './audit-filters.ts'
import { inOrganization, organization, page, ready, root, signedIn, text } from './base-routes.tsx'
import { SkeletonFrame, SkeletonPage } from './design/skeleton.tsx'
import { docsRoutes } from './docs-routes.ts'
import { overviewFilters } from './overview.ts'
import { Account } from './pages/account.tsx'
import { BrowserFlowError } from './pages/error.tsx'
import { Home } from './pages/home.tsx'
import { SignIn } from './pages/sign-in.tsx'
import { SignInDone } from './pages/sign-in-done.tsx'
import { SignInLink } from './pages/sign-in-link.tsx'
import { SignUp } from './pages/sign-up.tsx'
import { parseSearch, stringifySearch } from './search-text.ts'
import { RouteError } from './shell/route-error.tsx'
import { workspaceRoutes } from './workspace-routes.ts'

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
  validateSearch: (search): { to?: string; signUp?: string; signUpReason?: string; organizationSlug?: string } => ({
    to: text(search.to),
    signUp: text(search.signUp),
    signUpReason: text(search.signUpReason),
    organizationSlug: text(search.organizationSlug),
  }),
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
const member = createRoute({
  ...inOrganization,
  path: '/members/$userId',
  loader: ({ params: { orgSlug } }) => ready(read('listOrganizationMembers', { orgSlug })),
  component: lazyRouteComponent(() => import('./pages/member.tsx'), 'MemberPage'),
})
const apiKeys = createRoute({
  ...inOrganization,
  path: '/api-keys',
  loader: ({ params: { orgSlug } }) => ready(read('listApiKeys', { orgSlug })),
  component: lazyRouteComponent(() => import('./pages/api-keys.tsx'), 'ApiKeys'),
})
const apiKey = createRoute({
  ...inOrganization,
  path: '/api-keys/$id',
  loader: ({ params: { orgSlug, id } }) => ready(read('getApiKey', { orgSlug, id })),
  component: lazyRouteComponent(() => import('./pages/api-key.tsx'), 'ApiKeyPage'),
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
    docsRoutes,
    signedIn.addChildren([
      account,
      device,
      organization.addChildren([
        organizationHome,
        workspaces,
        workspaceRoutes,
        members,
        member,
        apiKeys,
        apiKey,
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
