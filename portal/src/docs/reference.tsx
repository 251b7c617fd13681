import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Loaded } from '../design/loaded.tsx'
import { entriesOf, groupTitle, type OpenApiDocument } from './document.ts'
import { Method } from './method.tsx'
import { DocsPage, DocsSection } from './page.tsx'
import { useDocument } from './use-document.ts'

/** Every operation in a line, by group. */
export const Reference = (): ReactNode => (
  <DocsPage
    title="API reference"
    lead={
      <>
        Every operation, from the service’s own{' '}
        <a href="/openapi.json" className="link">
          OpenAPI document
        </a>
        . Each page has examples to copy and a form to try it.
      </>
    }
  >
    <Loaded query={useDocument()}>{(document) => <Operations document={document} />}</Loaded>
  </DocsPage>
)

function Operations({ document }: { document: OpenApiDocument }) {
  const entries = entriesOf(document)
  return document.tags.map(({ name, description }) => (
    <DocsSection key={name} id={name} title={groupTitle(name)}>
      <p className="-mt-2 text-soft">{description}.</p>
      <ul className="card divide-y divide-line overflow-clip">
        {entries
          .filter(({ tags }) => tags.includes(name))
          .map(({ operationId, method, path, summary }) => (
            <li key={operationId} className="relative grid grid-cols-[4rem_1fr] px-4 py-2.5 hover:bg-sunken/50">
              <span>
                <Method method={method} />
              </span>
              <span className="grid min-w-0 gap-0.5">
                <Link
                  to="/docs/reference/$operation"
                  params={{ operation: operationId }}
                  className="rounded-small font-medium after:absolute after:inset-0"
                >
                  {summary}
                </Link>
                <code className="wrap-anywhere font-mono text-faint text-tiny">{path}</code>
              </span>
            </li>
          ))}
      </ul>
    </DocsSection>
  ))
}
