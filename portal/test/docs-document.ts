import { readFileSync } from 'node:fs'
import { entriesOf, type ListedOperation, type OpenApiDocument } from '../src/docs/document.ts'
import { bodyExample, parameterExamples } from '../src/docs/example.ts'
import type { Filled } from '../src/docs/request.ts'

/** The description as it is published; the service's own differs in its address alone. */
export const openApiDocument: OpenApiDocument = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'))
export const entries = entriesOf(openApiDocument)
export const entryOf = (id: string): ListedOperation => entries.find(({ operationId }) => operationId === id)!

/** As the page begins. */
export function begun(entry: ListedOperation): Filled {
  const body = bodyExample(openApiDocument, entry)
  return { values: parameterExamples(openApiDocument, entry), body: body === undefined ? '' : JSON.stringify(body, null, 2) }
}
