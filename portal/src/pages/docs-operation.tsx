import { Badge } from '../design/badge.tsx'
import { CodeBlock } from '../design/code-block.tsx'
import type { Tone } from '../design/notice.tsx'
import {
  boundsOf,
  curlOf,
  exampleOf,
  type ListedOperation,
  type OpenApiDocument,
  type OpenApiSchema,
  resolved,
  typeOf,
  waysIn,
} from '../openapi.ts'

const tones: Record<string, Tone | 'quiet'> = { GET: 'quiet', POST: 'good', PATCH: 'info', PUT: 'info', DELETE: 'bad' }

/** One operation: closed it is a line to scan, open it has everything one needs to call it. */
export function DocsOperation({ document, entry }: { document: OpenApiDocument; entry: ListedOperation }) {
  const { operationId, method, path, summary, description, parameters = [], requestBody, responses } = entry
  const body = requestBody?.content['application/json']?.schema
  const good = Object.entries(responses).find(([status]) => /^[23]/.test(status))
  const answer = good?.[1].content?.['application/json']?.schema
  return (
    <details id={operationId} className="group scroll-mt-6">
      <summary className="grid grid-cols-[4rem_1fr] items-start px-5 py-3 hover:bg-sunken/50">
        <span>
          <Badge tone={tones[method] ?? 'quiet'}>{method}</Badge>
        </span>
        <span className="grid min-w-0 gap-0.5">
          <span className="font-medium">{summary}</span>
          <code className="wrap-anywhere font-mono text-faint text-tiny">{path}</code>
        </span>
      </summary>
      <div className="grid gap-5 px-5 pt-1 pb-6">
        <p className="max-w-2xl text-soft">
          {description && <Marked text={`${description} `} />}
          <Marked text={credentialsOf(entry)} />{' '}
          <a href={`#${operationId}`} className="link font-mono text-small">
            {operationId}
          </a>
        </p>
        <CodeBlock title="Example" text={curlOf(document, entry, location.origin)} />
        {parameters.length > 0 && (
          <Values
            title="Parameters"
            rows={parameters.map(({ name, in: where, required, description, schema }) => ({
              name,
              note: where,
              required,
              description,
              schema,
            }))}
          />
        )}
        {body && <Values title="Body" rows={rowsOf(resolved(document, body))} />}
        {answer && <CodeBlock title={`Response ${good![0]}`} text={JSON.stringify(exampleOf(document, answer), null, 2)} />}
        <p className="text-faint text-small">
          {good && !answer ? `Returns ${good[0]}. ` : ''}Errors:{' '}
          {Object.keys(responses)
            .filter((status) => Number(status) >= 400)
            .join(', ')}
          , each as a problem document with a <code className="font-mono">code</code> and what to do next.
        </p>
      </div>
    </details>
  )
}

function credentialsOf(entry: ListedOperation): string {
  const ways = waysIn(entry)
  if (ways.length === 0) return 'Public: no credentials required.'
  return ways.includes('apiKey') ? 'Requires a user session or an API key.' : 'Requires a user session; API keys are not accepted.'
}

type FieldRow = { name: string; note?: string; required?: boolean | undefined; description?: string | undefined; schema: OpenApiSchema }

const rowsOf = ({ properties = {}, required = [] }: OpenApiSchema): FieldRow[] =>
  Object.entries(properties).map(([name, schema]) => ({ name, required: required.includes(name), description: schema.description, schema }))

function Values({ title, rows }: { title: string; rows: FieldRow[] }) {
  if (rows.length === 0) return <p className="text-small text-soft">{title}: an object whose fields depend on the ad system.</p>
  return (
    <section className="grid gap-2">
      <h3 className="font-medium text-small">{title}</h3>
      <dl className="grid gap-2">
        {rows.map(({ name, note, required, description, schema }) => (
          <div key={name} className="grid gap-x-4 border-line border-t pt-2 sm:grid-cols-[12rem_1fr]">
            <dt className="wrap-anywhere font-mono text-small">
              {name} {required && <span className="font-sans text-tiny text-warn">required</span>}
            </dt>
            <dd className="wrap-anywhere text-small text-soft">
              {[note, typeOf(schema), boundsOf(schema)].filter(Boolean).join('; ')}
              {description && (
                <>
                  . <Marked text={description} />
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** Words between backticks are code, as the description writes them. */
export const Marked = ({ text }: { text: string }) =>
  text.split(/(`[^`]+`)/).map((part, index) =>
    part.startsWith('`') ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one fixed sentence
      <code key={index} className="font-mono text-small">
        {part.slice(1, -1)}
      </code>
    ) : (
      part
    ),
  )
