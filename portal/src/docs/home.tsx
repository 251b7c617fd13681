import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { Button } from '../design/button.tsx'
import { Icon, type IconName } from '../design/icons.tsx'
import { factsOf, providerFacts } from './data.ts'
import { guides } from './guides/index.ts'
import { DocsPage } from './page.tsx'
import { useDocument } from './use-document.ts'

const icons: Record<string, IconName> = {
  introduction: 'next',
  authentication: 'key',
  connect: 'send',
  gateway: 'rotate',
  errors: 'alert',
  limits: 'clock',
  idempotency: 'copy',
  pagination: 'list',
  webhooks: 'mail',
  agents: 'device',
}

/** The way in: what there is, and where to begin. */
export function DocsHome(): ReactNode {
  useOldAddress()
  const version = useDocument().data?.info.version
  return (
    <DocsPage
      title="Documentation"
      lead="Connect your clients’ ad systems, and use them from your software with one key. Every example runs against this server."
    >
      <div className="flex flex-wrap gap-3">
        <Button asChild look="primary">
          <Link to="/docs/guides/$guide" params={{ guide: 'introduction' }}>
            Start in five minutes
          </Link>
        </Button>
        <Button asChild>
          <Link to="/docs/reference">API reference</Link>
        </Button>
      </div>
      <ul className="grid gap-3 sm:grid-cols-2 2xl:grid-cols-3">
        {guides.map(({ slug, title, lead }) => (
          <li key={slug} className="card relative flex gap-3 p-4 hover:bg-sunken/40">
            <Icon name={icons[slug] ?? 'info'} className="mt-[3px] text-accent" />
            <div className="grid content-start gap-0.5">
              <h2 className="font-semibold">
                <Link to="/docs/guides/$guide" params={{ guide: slug }} className="rounded-small after:absolute after:inset-0">
                  {title}
                </Link>
              </h2>
              <p className="text-soft">{lead}</p>
            </div>
          </li>
        ))}
      </ul>
      <dl className="grid max-w-2xl gap-3 border-line border-t pt-6 sm:grid-cols-[auto_1fr] sm:gap-x-8">
        <Fact name={`${providerFacts.length} ad systems`}>
          <Link to="/docs/providers" className="link">
            What each needs, and how its app gets approved
          </Link>
        </Fact>
        <Fact name="Errors">
          <Link to="/docs/errors" className="link">
            Every error, when it happens and what to do
          </Link>
        </Fact>
        <Fact name="OpenAPI">
          <a href="/openapi.json" className="link">
            OpenAPI document
          </a>
          {version && `, version ${version}`}
        </Fact>
        <Fact name="Versions">
          Before 1.0, breaking changes are made in place under <code className="font-mono text-small">/v1</code>. From 1.0 on, they become{' '}
          <code className="font-mono text-small">/v2</code>.
        </Fact>
      </dl>
    </DocsPage>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="contents">
    <dt className="font-medium">{name}</dt>
    <dd className="text-soft">{children}</dd>
  </div>
)

/** Where operations were before each had a page: `/docs#rotateApiKey`. */
function useOldAddress() {
  const navigate = useNavigate()
  useEffect(() => {
    const named = location.hash.slice(1)
    if (named === 'agents') void navigate({ to: '/docs/guides/$guide', params: { guide: 'agents' }, replace: true })
    else if (factsOf(named).errors.length) void navigate({ to: '/docs/reference/$operation', params: { operation: named }, replace: true })
  }, [navigate])
}
