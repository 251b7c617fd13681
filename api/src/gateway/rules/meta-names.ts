// What Meta shows for a name that a call says, wherever it says it: tokens and people.
import { type JsonText, UNREADABLE } from '../json-shape.ts'
import type { NamedValues } from '../named-values.ts'
import { queryNames, textsIn, type VendorRequest } from '../vendor-request.ts'

/** A page's own token comes with `accounts` unasked, and the operator's app may be named by `id` and `ids` as well. */
export const showsTokens = (request: VendorRequest, ownApp: string | undefined): boolean | string =>
  namesIn(request).some((names) => ['fields', 'ids'].some((name) => !isPlainList(names, name)))
    ? 'Write `fields` and `ids` as plain lists, such as `id,name`, or as a JSON list of texts.'
    : textsNamed(request, 'fields').some(holdsWord('accounts')) ||
      (ownApp !== undefined && saysApp(request, ownApp)) ||
      isEdgeOfMany(request)

/** In JSON of another shape a name could hide behind escapes. */
const isPlainList = ({ named, texts }: NamedValues, name: string): boolean =>
  named(name).every(({ values }) =>
    values.every((value) => {
      const inner = typeof value === 'string' ? texts.get(value) : undefined
      const list = inner ? (inner as JsonText).value : value
      if (Array.isArray(list)) return list.every((item) => typeof item === 'string' && isPlain(item))
      return !inner && (typeof value === 'number' || (typeof value === 'string' && isPlain(value)))
    }),
  )

const isPlain = (text: string): boolean => !/^\s*["{]|\\/.test(text)

/** Leads, whoever works for a business or at an account, and what each of them did there. */
export const showsPeople = (request: VendorRequest): boolean =>
  mayBeLead(request) || textsNamed(request, 'fields').some((text) => /(?<!\w)(?:(?:\w+_)?users|activities)(?!\w)/.test(text))

/** Beside IDs a word is the edge of each of them, as in `insights?ids=1,2`: another way to what is closed below an ID in the path. */
function isEdgeOfMany(request: VendorRequest): boolean {
  const [, edge = ''] = /^\/v[\d.]+\/([^/]*)\/?$/.exec(request.path) ?? []
  if (!edge || /^(?:act_)?\d/.test(edge) || EDGES_OF_MANY.includes(edge)) return false
  return namesIn(request).some(({ lasts }) => lasts.has('ids') || lasts.has('id'))
}

const EDGES_OF_MANY = ['search', 'insights', 'campaigns', 'adsets', 'ads', 'adcreatives']

/** A query that can't be read is refused before. */
function namesIn({ query, body }: VendorRequest): NamedValues[] {
  const asked = query.length ? queryNames(query) : UNREADABLE
  return [...(asked === UNREADABLE ? [] : [asked]), ...('names' in body ? [body.names] : [])]
}

const textsNamed = (request: VendorRequest, name: string): string[] =>
  namesIn(request).flatMap(({ lasts }) => (lasts.get(name) ?? []).flatMap(textsIn))

const holdsWord = (word: string) => {
  const pattern = new RegExp(`(?<!\\w)${word}(?!\\w)`)
  return (text: string) => pattern.test(text)
}

function saysApp(request: VendorRequest, ownApp: string): boolean {
  const isApp = (value: unknown) =>
    typeof value === 'string' ? value.includes(ownApp) && holdsWord(ownApp)(value) : typeof value === 'number' && String(value) === ownApp
  return namesIn(request).some(({ places }) =>
    places.some(({ values }) => values.some((value) => (Array.isArray(value) ? value.some(isApp) : isApp(value)))),
  )
}

const LEAD = ['field_data', 'custom_disclaimer_responses', 'leads']

/** An object by its ID may be a lead, whose answers come unasked: what is asked for by name has to be something else. */
function mayBeLead(request: VendorRequest): boolean {
  const { method, path } = request
  if (method !== 'GET') return false
  const isObject = /^\/v[\d.]+\/[^/]+\/?$/.test(path) && !/\/(?:act_\d+|me|search)\/?$/.test(path)
  const ids = textsNamed(request, 'ids')
    .flatMap((text) => text.split(/[\s,[\]"]+/))
    .filter(Boolean)
  if (!isObject && ids.every((id) => /^act_\d+$/.test(id))) return false
  const isAsked = request.query.some(([name, value]) => name === 'fields' && /\w/.test(value))
  return (
    !isAsked ||
    textsNamed(request, 'fields').some((text) => !/\w/.test(text) || text.includes('*') || LEAD.some((name) => text.includes(name))) ||
    isMetadata(request)
  )
}

const isMetadata = (request: VendorRequest): boolean => namesIn(request).some(({ lasts }) => lasts.has('metadata'))
