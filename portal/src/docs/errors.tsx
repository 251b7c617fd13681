import type { ProblemCode } from '@adjoin/contract/problems'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { errorFacts } from './data.ts'
import { causes } from './error-causes.ts'
import { DocsPage, DocsSection } from './page.tsx'
import { Marked, TextLink } from './prose.tsx'

const statuses = [...new Set(errorFacts.map(({ status }) => status))].sort((a, b) => a - b)

/** Every error, by status. */
export const Errors = (): ReactNode => (
  <DocsPage
    title="Errors"
    lead={
      <>
        The <code className="font-mono">code</code> of an error says which one it is.{' '}
        <TextLink to="/docs/guides/errors">How errors look, and which to retry</TextLink>.
      </>
    }
  >
    {statuses.map((status) => {
      const list = errorFacts.filter((one) => one.status === status)
      return (
        <DocsSection key={status} id={String(status)} title={`${status} ${list[0]!.title}`}>
          <ul className="card divide-y divide-line overflow-clip">
            {list.map(({ code }) => (
              <li
                key={code}
                id={code}
                className="relative grid scroll-mt-20 gap-x-4 gap-y-0.5 px-4 py-2.5 hover:bg-sunken/50 md:grid-cols-[15rem_1fr]"
              >
                <Link
                  to="/docs/errors/$code"
                  params={{ code }}
                  className="wrap-anywhere rounded-small font-medium font-mono text-small after:absolute after:inset-0"
                >
                  {code}
                </Link>
                <span className="text-soft">
                  <Marked text={causes[code as ProblemCode] ?? ''} />
                </span>
              </li>
            ))}
          </ul>
        </DocsSection>
      )
    })}
  </DocsPage>
)
