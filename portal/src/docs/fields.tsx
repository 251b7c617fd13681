import { boundsOf, type OpenApiDocument, type OpenApiSchema, resolved, typeOf } from './document.ts'
import { Marked } from './prose.tsx'

export type FieldRow = {
  name: string
  note?: string
  required?: boolean | undefined
  description?: string | undefined
  schema: OpenApiSchema
}

const MOST_DEPTH = 4

export const rowsOf = ({ properties = {}, required = [] }: OpenApiSchema): FieldRow[] =>
  Object.entries(properties).map(([name, schema]) => ({ name, required: required.includes(name), description: schema.description, schema }))

/** The object inside: of a list its entries, of something that may be null the thing itself. */
function inside(document: OpenApiDocument, schema: OpenApiSchema): OpenApiSchema | undefined {
  const own = resolved(document, schema)
  if (own.properties) return own
  if (own.items) return inside(document, own.items)
  const branches = [...(own.anyOf ?? []), ...(own.oneOf ?? [])].filter((one) => one.type !== 'null')
  return branches.length === 1 ? inside(document, branches[0]!) : undefined
}

type FieldsProps = {
  document: OpenApiDocument
  rows: FieldRow[]
  depth?: number
  label: string
  /** Of an answer: what is always there needs no word, what may be missing does. */
  answered?: boolean
}

/** Names, types and what they mean; what consists of further fields opens. */
export const Fields = ({ document, rows, depth = 0, label, answered = false }: FieldsProps) => (
  <dl aria-label={label} className="grid grid-cols-[minmax(0,1fr)] divide-y divide-line">
    {rows.map(({ name, note, required, description, schema }) => {
      const nested = depth < MOST_DEPTH ? inside(document, schema) : undefined
      return (
        <div key={`${note} ${name}`} className="grid grid-cols-[minmax(0,1fr)] gap-1 py-2.5 first:pt-0">
          <dt className="flex flex-wrap items-baseline gap-x-2">
            <code className="wrap-anywhere font-medium font-mono text-small">{name}</code>
            <span className="wrap-anywhere text-faint text-small">{[typeOf(schema), boundsOf(schema)].filter(Boolean).join(', ')}</span>
            {note && <span className="text-faint text-small">{note}</span>}
            {required && !answered && <span className="text-small text-warn">required</span>}
            {!required && answered && <span className="text-faint text-small">if there is one</span>}
          </dt>
          {description && (
            <dd className="wrap-anywhere max-w-2xl text-soft">
              <Marked text={description} />
            </dd>
          )}
          {nested && (
            <dd>
              <details>
                <summary className="w-max rounded-small text-accent text-small">Fields of {name}</summary>
                <div className="mt-2 border-line border-l pl-4">
                  <Fields document={document} rows={rowsOf(nested)} depth={depth + 1} label={`Fields of ${name}`} answered={answered} />
                </div>
              </details>
            </dd>
          )}
        </div>
      )
    })}
  </dl>
)

type SchemaProps = { document: OpenApiDocument; schema: OpenApiSchema; label: string; answered?: boolean }

/** A body or an answer: its fields, the fields of each of its forms, or what it is. */
export function SchemaView({ document, schema, label, answered = false }: SchemaProps) {
  const own = resolved(document, schema)
  const branches = own.anyOf ?? own.oneOf
  const rows = rowsOf(own)
  if (rows.length) return <Fields document={document} rows={rows} label={label} answered={answered} />
  if (branches)
    return branches.map((branch, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the forms of one fixed schema
      <div key={index} className="grid gap-2">
        <p className="text-small text-soft">{index === 0 ? 'Either' : 'Or'}</p>
        <SchemaView document={document} schema={branch} label={`${label}, form ${index + 1}`} answered={answered} />
      </div>
    ))
  if (own.items)
    return (
      <>
        <p className="text-small text-soft">A list of:</p>
        <SchemaView document={document} schema={own.items} label={label} answered={answered} />
      </>
    )
  return (
    <p className="max-w-2xl text-soft">
      {own.type === 'object' ? 'An object whose fields depend on the ad system. See the page of each ad system.' : typeOf(own)}
    </p>
  )
}
