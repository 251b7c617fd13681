import type { ProblemCode } from '@adjoin/contract/problems'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Badge } from '../design/badge.tsx'
import { Code } from './code-tabs.tsx'
import { errorFacts, operationFacts } from './data.ts'
import { entriesOf } from './document.ts'
import { causes, INSTEAD } from './error-causes.ts'
import { Method } from './method.tsx'
import { Missing } from './missing.tsx'
import { DocsPage, DocsSection } from './page.tsx'
import { Marked } from './prose.tsx'
import { useDocument } from './use-document.ts'

/** In so many operations that a list would say nothing. */
const EVERYWHERE = 40

/** One error: when it happens, what to do, what it looks like, and where it comes from. */
export function ErrorPage(): ReactNode {
  const { code } = useParams({ from: '/docs/errors/$code' })
  const known = errorFacts.find((one) => one.code === code)
  if (!known) return <Missing what="error" />
  const { status, title, detail } = known
  const example = { type: 'about:blank', title, status, ...(detail && { detail }), instance: '/v1/…', code, requestId: '…' }
  return (
    <DocsPage
      title={code}
      above={
        <p>
          <Badge tone="bad">
            {status} {title}
          </Badge>
        </p>
      }
    >
      <DocsSection title="When it happens">
        <p className="max-w-2xl">
          <Marked text={causes[code as ProblemCode] ?? ''} />
        </p>
      </DocsSection>
      <DocsSection title="What to do">
        <p className="max-w-2xl">
          <Marked text={detail ?? INSTEAD} />
        </p>
      </DocsSection>
      <div className="max-w-3xl">
        <Code text={JSON.stringify(example, null, 2)} label="Problem document" />
      </div>
      <Operations code={code} />
    </DocsPage>
  )
}

function Operations({ code }: { code: string }) {
  const { data } = useDocument()
  const ids = Object.keys(operationFacts).filter((id) => operationFacts[id]!.errors.includes(code))
  const entries = data ? entriesOf(data).filter(({ operationId }) => ids.includes(operationId)) : []
  if (ids.length === 0) return <p className="max-w-2xl text-soft">Any request can get it, before its operation is known.</p>
  if (ids.length > EVERYWHERE) return <p className="max-w-2xl text-soft">{ids.length} operations can answer with it.</p>
  return (
    <DocsSection title="Operations that can answer with it">
      <ul className="grid max-w-3xl gap-1.5">
        {entries.map(({ operationId, method, summary }) => (
          <li key={operationId} className="flex items-baseline gap-2.5">
            <Method method={method} short />
            <Link to="/docs/reference/$operation" params={{ operation: operationId }} className="link">
              {summary}
            </Link>
          </li>
        ))}
      </ul>
    </DocsSection>
  )
}
