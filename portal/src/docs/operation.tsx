import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { CopyButton } from '../design/copy-button.tsx'
import { Loaded } from '../design/loaded.tsx'
import { Access, limitInWords } from './access.tsx'
import { Answers } from './answers.tsx'
import { codeOf } from './code/index.ts'
import { CodeTabs } from './code-tabs.tsx'
import { errorFacts, factsOf } from './data.ts'
import { bodySchemaOf, entriesOf, groupTitle, type ListedOperation, type OpenApiDocument } from './document.ts'
import { bodyExample, parameterExamples } from './example.ts'
import { Fields, SchemaView } from './fields.tsx'
import { Method } from './method.tsx'
import { Missing } from './missing.tsx'
import { DocsPage, DocsSection } from './page.tsx'
import { Marked } from './prose.tsx'
import type { Filled } from './request.ts'
import { TryIt } from './try-it.tsx'
import { useDocument, useServer } from './use-document.ts'

export function OperationPage(): ReactNode {
  const { operation } = useParams({ from: '/docs/reference/$operation' })
  return (
    <Loaded query={useDocument()}>
      {(document) => {
        const entry = entriesOf(document).find(({ operationId }) => operationId === operation)
        return entry ? <Operation key={operation} document={document} entry={entry} /> : <Missing what="operation" />
      }}
    </Loaded>
  )
}

type OperationProps = { document: OpenApiDocument; entry: ListedOperation }

function Operation({ document, entry }: OperationProps) {
  const { operationId, method, path, summary, description, tags, parameters = [] } = entry
  const server = useServer()
  const [filled, setFilled] = useState<Filled>(() => begin(document, entry))
  const body = bodySchemaOf(entry)
  return (
    <DocsPage title={summary} above={<p className="text-small text-soft">{groupTitle(tags[0] ?? '')}</p>}>
      <div className="-mt-3 flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
        <Method method={method} />
        <code className="wrap-anywhere min-w-0 font-mono text-small">{path}</code>
        <CopyButton text={`${server}${path}`} of="the address" look="quiet" />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8 xl:grid-cols-[minmax(0,1fr)_minmax(0,28rem)] 2xl:grid-cols-[minmax(0,1fr)_minmax(0,34rem)]">
        <div className="xl:-m-1 grid content-start gap-6 xl:sticky xl:top-18 xl:order-2 xl:max-h-[calc(100dvh-5rem)] xl:self-start xl:overflow-y-auto xl:p-1">
          <CodeTabs label="Request" code={codeOf(entry, filled, server)} />
          <TryIt document={document} entry={entry} filled={filled} onFill={setFilled} />
        </div>
        <div className="grid content-start gap-8">
          <p className="max-w-2xl">
            {description && description !== summary && <Marked text={`${description} `} />}
            <span className="text-soft">
              Operation ID: <code className="font-mono text-small">{operationId}</code>
            </span>
          </p>
          <DocsSection title="Who can call it">
            <Access entry={entry} />
          </DocsSection>
          {parameters.length > 0 && (
            <DocsSection title="Parameters">
              <Fields
                document={document}
                label="Parameters"
                rows={parameters.map(({ in: where, ...one }) => ({ ...one, note: `in the ${where === 'header' ? 'headers' : where}` }))}
              />
            </DocsSection>
          )}
          {body && (
            <DocsSection title="Body">
              <SchemaView document={document} schema={body} label="Body" />
            </DocsSection>
          )}
          <Answers document={document} entry={entry} />
          <Limits entry={entry} />
          <ErrorList operationId={operationId} />
        </div>
      </div>
    </DocsPage>
  )
}

function begin(document: OpenApiDocument, entry: ListedOperation): Filled {
  const body = bodyExample(document, entry)
  return { values: parameterExamples(document, entry), body: body === undefined ? '' : JSON.stringify(body, null, 2) }
}

function Limits({ entry: { 'x-limits': limits, 'x-records': records } }: { entry: ListedOperation }) {
  return (
    <>
      {limits && (
        <DocsSection title="Limits">
          <ul className="grid list-disc gap-1 pl-5 marker:text-faint">
            {limits.map((limit) => (
              <li key={limitInWords(limit)}>{limitInWords(limit)}</li>
            ))}
          </ul>
        </DocsSection>
      )}
      {records && records.length > 0 && (
        <DocsSection title="Audit trail">
          <p className="max-w-2xl">
            Records <Marked text={records.map((kind) => `\`${kind}\``).join(', ')} />.
          </p>
        </DocsSection>
      )}
    </>
  )
}

function ErrorList({ operationId }: { operationId: string }) {
  const codes = factsOf(operationId).errors
  return (
    <DocsSection title="Errors">
      <ul className="grid divide-y divide-line">
        {errorFacts
          .filter(({ code }) => codes.includes(code))
          .sort((a, b) => a.status - b.status)
          .map(({ code, status, detail, title }) => (
            <li key={code} className="grid gap-x-3 gap-y-0.5 py-2 first:pt-0 sm:grid-cols-[3rem_1fr]">
              <span className="font-mono text-faint text-small">{status}</span>
              <span className="min-w-0">
                <Link to="/docs/errors/$code" params={{ code }} className="link font-mono text-small">
                  {code}
                </Link>
                <span className="wrap-anywhere block text-small text-soft">
                  <Marked text={detail ?? `${title}.`} />
                </span>
              </span>
            </li>
          ))}
      </ul>
    </DocsSection>
  )
}
