/** The paths of the portal's pages, as its router has them, and of the pages for clients. A test compares the two. */
export const portalPaths = [
  ...['/', '/signup', '/signin', '/signin/link', '/signin/done', '/error', '/invitation', '/dev/mailbox', '/account', '/device'],
  ...['/docs', '/docs/guides/$guide', '/docs/reference', '/docs/reference/$operation', '/docs/providers', '/docs/providers/$provider'],
  ...['/docs/errors', '/docs/errors/$code'],
  ...within('/organizations/$orgSlug', [
    ...[
      '',
      '/workspaces',
      '/members',
      '/members/$userId',
      '/api-keys',
      '/api-keys/$id',
      '/webhooks',
      '/webhooks/$id',
      '/audit',
      '/settings',
    ],
    ...within('/workspaces/$workspaceSlug', [
      ...['', '/requests', '/requests/new', '/requests/$requestId', '/members', '/activity', '/settings', '/integrations/new'],
      ...within('/integrations/$id', ['', '/use', '/checks', '/activity', '/settings']),
    ]),
  ]),
]
export const clientPaths = within('/connect', ['/$token', '/r/$token', '/receipt/$token', '/stop/$token', '/mails/$token', '/result'])

function within(place: string, paths: readonly string[]): string[] {
  return paths.map((path) => place + path)
}

const PAGES = new RegExp(
  `^(?:${[...portalPaths, ...clientPaths].map((path) => path.replace(/\$\w+/g, '[^/]+').replace(/^\/$/, '')).join('|')})/?$`,
)

export const isPage = (path: string): boolean => PAGES.test(path)
