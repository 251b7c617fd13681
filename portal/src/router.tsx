import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router'
import { queryClient, read } from './api.ts'
import { SkeletonPage } from './design/skeleton.tsx'
import { Account } from './pages/account.tsx'
import { BrowserFlowError } from './pages/error.tsx'
import { Home } from './pages/home.tsx'
import { NotFound } from './pages/not-found.tsx'
import { OrganizationHome } from './pages/organization-home.tsx'
import { SignIn } from './pages/sign-in.tsx'
import { SignInLink } from './pages/sign-in-link.tsx'
import { SignUp } from './pages/sign-up.tsx'
import { refusedSession, rememberSession } from './session.ts'
import { OrganizationFrame } from './shell/organization-frame.tsx'
import { RouteError } from './shell/route-error.tsx'
import { Shell } from './shell/shell.tsx'

const text = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined)

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
const error = createRoute({
  ...page,
  path: '/error',
  component: BrowserFlowError,
  validateSearch: (search): { code?: string } => ({ code: text(search.code) }),
})
const mailbox = createRoute({
  ...page,
  path: '/dev/mailbox',
  component: lazyRouteComponent(() => import('./pages/mailbox.tsx'), 'Mailbox'),
})

/** Everything below needs a session; whoever has none signs in first and comes back to the same place. */
const signedIn = createRoute({
  ...page,
  id: 'signed-in',
  component: Shell,
  beforeLoad: async ({ location }) => {
    await queryClient.ensureQueryData(read('getSession')).then(rememberSession, (problem) => {
      if (refusedSession(problem)) throw redirect({ to: '/signin', search: { callbackURL: location.href }, replace: true })
      throw problem
    })
  },
})
const account = createRoute({ getParentRoute: () => signedIn, path: '/account', component: Account })
const organization = createRoute({ getParentRoute: () => signedIn, path: '/organizations/$orgSlug', component: OrganizationFrame })
const inOrganization = { getParentRoute: () => organization } as const
const organizationHome = createRoute({ ...inOrganization, path: '/', component: OrganizationHome })

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    signUp,
    signIn,
    signInLink,
    error,
    mailbox,
    signedIn.addChildren([account, organization.addChildren([organizationHome])]),
  ]),
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultPendingComponent: SkeletonPage,
  defaultPendingMs: 150,
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
