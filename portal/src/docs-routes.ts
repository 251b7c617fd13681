import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { page } from './base-routes.tsx'
import { SkeletonFrame } from './design/skeleton.tsx'

/** Nobody who works in the portal loads any of it. */
const docs = createRoute({
  ...page,
  path: '/docs',
  pendingComponent: SkeletonFrame,
  component: lazyRouteComponent(() => import('./docs/frame.tsx'), 'DocsFrame'),
})
const inDocs = { getParentRoute: () => docs } as const

const home = createRoute({ ...inDocs, path: '/', component: lazyRouteComponent(() => import('./docs/home.tsx'), 'DocsHome') })
const guide = createRoute({
  ...inDocs,
  path: '/guides/$guide',
  component: lazyRouteComponent(() => import('./docs/guide.tsx'), 'GuidePage'),
})
const reference = createRoute({
  ...inDocs,
  path: '/reference',
  component: lazyRouteComponent(() => import('./docs/reference.tsx'), 'Reference'),
})
const operation = createRoute({
  ...inDocs,
  path: '/reference/$operation',
  component: lazyRouteComponent(() => import('./docs/operation.tsx'), 'OperationPage'),
})
const providers = createRoute({
  ...inDocs,
  path: '/providers',
  component: lazyRouteComponent(() => import('./docs/providers.tsx'), 'Providers'),
})
const provider = createRoute({
  ...inDocs,
  path: '/providers/$provider',
  component: lazyRouteComponent(() => import('./docs/provider.tsx'), 'ProviderPage'),
})
const errors = createRoute({ ...inDocs, path: '/errors', component: lazyRouteComponent(() => import('./docs/errors.tsx'), 'Errors') })
const error = createRoute({
  ...inDocs,
  path: '/errors/$code',
  component: lazyRouteComponent(() => import('./docs/error.tsx'), 'ErrorPage'),
})

export const docsRoutes = docs.addChildren([home, guide, reference, operation, providers, provider, errors, error])
