import { Code } from './code-tabs.tsx'
import { type ListedOperation, type OpenApiDocument, successOf } from './document.ts'
import { exampleOf } from './example.ts'
import { SchemaView } from './fields.tsx'
import { DocsSection } from './page.tsx'
import { Marked } from './prose.tsx'

/** What comes back when all is well: an example, and its fields. */
export const Answers = ({ document, entry }: { document: OpenApiDocument; entry: ListedOperation }) =>
  successOf(entry).map(([status, { description, headers, content }]) => {
    const json = content?.['application/json']
    const example =
      json && (json.example ?? Object.values(json.examples ?? {})[0]?.value ?? (json.schema && exampleOf(document, json.schema)))
    const types = Object.keys(content ?? {}).filter((type) => type !== 'application/json' && type !== '*/*')
    return (
      <DocsSection key={status} title={`Response ${status}`}>
        {description && !/^(Done|Created|Accepted)$/.test(description) && (
          <p className="max-w-2xl">
            <Marked text={`${description}.`} />
          </p>
        )}
        {status === '204' && <p className="text-soft">No content.</p>}
        {types.length > 0 && (
          <p>
            <Marked text={types.map((type) => `\`${type}\``).join(' or ')} />
          </p>
        )}
        {headers && (
          <p className="text-soft">
            <Marked
              text={`Headers: ${Object.keys(headers)
                .map((name) => `\`${name}\``)
                .join(', ')}.`}
            />
          </p>
        )}
        {example !== undefined && <Code text={JSON.stringify(example, null, 2)} label={`Response ${status}`} title="Example" />}
        {json?.schema && <SchemaView document={document} schema={json.schema} label={`Fields of response ${status}`} answered />}
      </DocsSection>
    )
  })
