import { Kind, type OperationDefinitionNode, parse } from 'graphql/language'
import type { Effect } from './rules/rules.ts'
import type { VendorRequest } from './vendor-request.ts'

/**
 * What one document asks for. Undefined: more than one operation to choose from, or nothing that can be read.
 */
export function graphqlEffect({ body }: VendorRequest): Effect | undefined {
  if (body.kind !== 'json' || typeof body.value !== 'object' || body.value === null || Array.isArray(body.value)) return undefined
  const { query, operationName, extensions } = body.value as { query?: unknown; operationName?: unknown; extensions?: unknown }
  // A persisted query is a document that nobody here has seen.
  if (typeof query !== 'string' || extensions !== undefined) return undefined
  const operations = operationsOf(query)
  const chosen = operations.filter(({ name }) => operationName === undefined || operationName === null || name?.value === operationName)
  const [one] = chosen
  if (!one || chosen.length > 1 || one.operation === 'subscription') return undefined
  return one.operation === 'query' ? 'read' : 'change'
}

function operationsOf(document: string): OperationDefinitionNode[] {
  try {
    return parse(document, { noLocation: true, maxTokens: 20_000 }).definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION)
  } catch {
    return []
  }
}
