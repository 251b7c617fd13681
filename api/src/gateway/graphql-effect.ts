import { GraphQLError } from 'graphql/error'
import { type DocumentNode, Kind, parse, TokenKind } from 'graphql/language'
import type { Effect, Undecided } from './rules/rules.ts'
import type { VendorRequest } from './vendor-request.ts'

/** What a body may hold beside the document: anything else might name another document, which nobody here has seen. */
const KNOWN = ['query', 'variables', 'operationName']
const MOST_TOKENS = 20_000
const MOST_LETTERS = 1 << 18
/** Says which answer a twin gives; the ad system knows no such name. */
const FOR_TWINS = 'sandbox'

const effects = new WeakMap<VendorRequest, Effect | Undecided>()

/** What one document asks for, where every reader reads the same in it. Asked for more than once a call. */
export function graphqlEffect(request: VendorRequest): Effect | Undecided {
  const effect = effects.get(request) ?? readEffect(request)
  effects.set(request, effect)
  return effect
}

function readEffect({ query: address, body }: VendorRequest): Effect | Undecided {
  if (address.some(([name]) => name !== FOR_TWINS))
    return { refused: 'Send the GraphQL document in the body, and nothing in the query of the address.' }
  if (body.kind !== 'json' || typeof body.value !== 'object' || body.value === null || Array.isArray(body.value))
    return { refused: 'Send one JSON object with `query`, and `variables` and `operationName` where they are needed.' }
  const { query, operationName } = body.value as { query?: unknown; operationName?: unknown }
  const unknown = Object.keys(body.value).find((name) => !KNOWN.includes(name))
  if (unknown !== undefined || typeof query !== 'string')
    return { refused: 'Send the whole GraphQL document in `query`, and beside it only `variables` and `operationName`.' }
  const document = readDocument(query)
  if ('refused' in document) return document
  const chosen = document.definitions.filter(
    (node) =>
      node.kind === Kind.OPERATION_DEFINITION &&
      (operationName === undefined || operationName === null || node.name?.value === operationName),
  )
  const [one] = chosen
  if (one?.kind !== Kind.OPERATION_DEFINITION || chosen.length > 1)
    return { refused: 'Name one operation of the GraphQL document in `operationName`, and each operation once.' }
  if (one.operation === 'subscription') return { refused: 'A GraphQL subscription is not sent on. Use a query.' }
  return one.operation === 'query' ? 'read' : 'change'
}

/** Readers differ in where a comment ends, what a block string is, and which characters they skip. */
function readDocument(text: string): DocumentNode | Undecided {
  if (text.length > MOST_LETTERS) return { refused: 'The GraphQL document is too long. Send its values in `variables`.' }
  const odd = /[^\P{Cc}\n\t]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.exec(text)
  if (odd) return undecided(lineAt(text, odd.index), nameOf(odd[0]), 'Leave it out, or send the text in `variables`.')
  try {
    const document = parse(text, { maxTokens: MOST_TOKENS })
    for (let token = document.loc?.startToken; token; token = token.next ?? undefined) {
      if (token.kind === TokenKind.COMMENT) return undecided(token.line, 'a comment', 'Leave it out.')
      if (token.kind === TokenKind.BLOCK_STRING) return undecided(token.line, 'a block string', 'Use "…", or send the text in `variables`.')
    }
    const foreign = document.definitions.find(({ kind }) => kind !== Kind.OPERATION_DEFINITION && kind !== Kind.FRAGMENT_DEFINITION)
    return foreign
      ? undecided(foreign.loc?.startToken.line ?? 1, 'a definition of a type', 'Send operations and fragments alone.')
      : document
  } catch (error) {
    // The parser calls itself for each level.
    if (error instanceof RangeError) return { refused: 'The GraphQL document nests too deeply. Ask for less at once.' }
    if (!(error instanceof GraphQLError)) throw error
    const line = error.locations?.[0]?.line ?? 1
    return { refused: `The GraphQL document can’t be read: line ${line}, ${error.message.slice(0, 200)}` }
  }
}

const undecided = (line: number, what: string, instead: string): Undecided => ({
  refused: `Line ${line} of the GraphQL document has ${what}, which readers read differently. ${instead}`,
})

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length

const nameOf = (character: string): string =>
  character === '\r' ? 'a carriage return (CR)' : `the character U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
