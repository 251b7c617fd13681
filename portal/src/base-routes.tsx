import type { FetchQueryOptions, QueryKey } from '@tanstack/react-query'
import { createRootRoute, createRoute, Outlet, redirect } from '@tanstack/react-router'
import { queryClient, read } from './api.ts'
import { SkeletonFrame } from './design/skeleton.tsx'
import { NotFound } from './pages/not-found.tsx'
import { refusedSession, rememberSession } from './session.ts'
import { OrganizationFrame } from './shell/organization-frame.tsx'
import { Shell } from './shell/shell.tsx'

export const text = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined)

/** What a page cannot do without is asked for on the way there, for its frame and itself at once. */
export const ready = <Data, Key extends QueryKey>(query: FetchQueryOptions<Data, Error, Data, Key>) => queryClient.ensureQueryData(query)

export const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound })
export const page = { getParentRoute: () => root } as const

/** Everything below needs a session; people without one sign in first and come back to the same place. */
export const signedIn = createRoute({
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
export const organization = createRoute({
  getParentRoute: () => signedIn,
  path: '/organizations/$orgSlug',
  loader: ({ params: { orgSlug } }) => ready(read('getOrganization', { orgSlug })),
  component: OrganizationFrame,
  pendingComponent: SkeletonFrame,
})
export const inOrganization = { getParentRoute: () => organization } as const
