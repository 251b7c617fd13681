/** How an ad system goes on to its next page. `a.b` is a field of a field. */
export interface Paging {
  /**
   * What leads on: an address or a token in the answer, the number of a page or of a row,
   * or a cursor in a GraphQL answer (`pageInfo`).
   */
  readonly by: (typeof pagingKinds)[number]
  /** Where the answer says it: the address, the token, how many pages or rows there are. Null: a page that is not full is the last. */
  readonly at: string | null
  /** What asks for the next page, in the query or in the JSON body; a variable of a GraphQL query. */
  readonly parameter: string | null
  /** What says how much a page has. */
  readonly size: string | null
  /** The number of the first page or row. */
  readonly first: number
  /** Parameters of the next page's address that must not be sent: the gateway adds them itself. */
  readonly drop: string[]
  /** An answer without rows is the last one, whatever it says. */
  readonly untilEmpty: boolean
}

export const pagingKinds = ['address', 'token', 'page', 'row', 'cursor'] as const

export interface PageRequest {
  /** With its query, as after `/proxy/`; or an address of the ad system. */
  readonly path: string
  /** JSON that was parsed; undefined without one. */
  readonly body?: unknown
}

/** The request for the page after this answer; undefined after the last one. */
export function nextPage(ways: readonly Paging[], request: PageRequest, answer: unknown): PageRequest | undefined {
  for (const way of ways) {
    const next = steps[way.by](way, request, answer)
    // Whoever points to the page that was just read has no other one.
    if (next && JSON.stringify(next) !== JSON.stringify(request)) return next
  }
  return undefined
}

export interface Page {
  readonly answer: Response
  readonly text: string
  /** What the text says as JSON; undefined if it is none. */
  readonly content: unknown
}

/** Page after page, each one fetched when it is asked for; whatever is not a page of JSON is the last. */
export async function* pagesFrom(
  ways: readonly Paging[],
  first: PageRequest,
  send: (request: PageRequest) => Promise<Response>,
): AsyncGenerator<Page, void> {
  for (let request: PageRequest | undefined = first; request; ) {
    const answer = await send(request)
    const text = await answer.text()
    const content = parsed(text)
    yield { answer, text, content }
    request = answer.ok && content !== undefined ? nextPage(ways, request, content) : undefined
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Step = (way: Paging, request: PageRequest, answer: unknown) => PageRequest | undefined

const numbered: Step = ({ by, at, parameter, size, first }, request, answer) => {
  const perPage = Number(size && sentValue(request, size)) || undefined
  const [total, rows] = [Number(at ? (valueAt(answer, at) ?? Number.NaN) : Number.NaN), rowsOf(answer)?.length]
  const here = Number(sentValue(request, parameter!) ?? first)
  const next = by === 'page' ? here + 1 : here + (rows ?? 0)
  const end = total + (by === 'page' ? first : 0)
  // Without a total only a full page promises another one.
  const goesOn = Number.isNaN(total) ? perPage !== undefined && rows === perPage : next < end && rows
  return goesOn ? withValue(request, parameter!, next) : undefined
}

const steps: Record<Paging['by'], Step> = {
  address: ({ at, drop }, { body }, answer) => {
    const address = valueAt(answer, at!)
    return typeof address === 'string' && address
      ? { path: withoutParameters(address, drop), ...(body !== undefined && { body }) }
      : undefined
  },
  token: ({ at, parameter, untilEmpty }, request, answer) => {
    const token = valueAt(answer, at!)
    if (typeof token !== 'string' || !token || (untilEmpty && !rowsOf(answer)?.length)) return undefined
    return withValue(request, parameter!, token)
  },
  page: numbered,
  row: numbered,
  cursor: ({ parameter }, { path, body }, answer) => {
    const cursor = cursorIn(answer)
    const { query, variables } = (body ?? {}) as { query?: unknown; variables?: object }
    if (cursor === undefined || !String(query).includes(`$${parameter}`)) return undefined
    return { path, body: { ...(body as object), variables: { ...variables, [parameter!]: cursor } } }
  },
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const valueAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce((at, name) => (isObject(at) ? at[name] : undefined), value)

/** The answer itself, or its first list; that of TikTok and Xandr is one level deeper. */
function rowsOf(answer: unknown, depth = 2): unknown[] | undefined {
  if (Array.isArray(answer)) return answer
  if (!isObject(answer) || !depth) return undefined
  const values = Object.values(answer)
  return values.find((value) => Array.isArray(value)) ?? values.map((value) => rowsOf(value, depth - 1)).find(Boolean)
}

function cursorIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { pageInfo } = value as { pageInfo?: { hasNextPage?: boolean; endCursor?: string } }
  if (pageInfo?.hasNextPage && pageInfo.endCursor) return pageInfo.endCursor
  return Object.values(value).map(cursorIn).find(Boolean)
}

/** A query stays byte for byte what it was, save for the one parameter: vendors mean what they write there. */
const splitQuery = (path: string): [string, string[]] => {
  const [target = '', query] = path.split(/\?(.*)/s)
  return [target, query ? query.split('&') : []]
}
const nameOf = (pair: string) => {
  const name = pair.split('=', 1)[0]!
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
const joinQuery = (target: string, pairs: string[]) => (pairs.length ? `${target}?${pairs.join('&')}` : target)

function withoutParameters(path: string, names: readonly string[]): string {
  const [target, pairs] = splitQuery(path)
  return joinQuery(
    target,
    pairs.filter((pair) => !names.includes(nameOf(pair))),
  )
}

function sentValue({ path, body }: PageRequest, name: string): unknown {
  const pair = splitQuery(path)[1].find((each) => nameOf(each) === name)
  return pair?.slice(pair.indexOf('=') + 1) ?? valueAt(body, name)
}

function withValue({ path, body }: PageRequest, name: string, value: string | number): PageRequest {
  const [target, pairs] = splitQuery(path)
  const at = pairs.findIndex((pair) => nameOf(pair) === name)
  if (isObject(body) && at < 0) return { path, body: withField(body, name.split('.'), value) }
  const pair = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
  return { path: joinQuery(target, at < 0 ? [...pairs, pair] : pairs.with(at, pair)), ...(body !== undefined && { body }) }
}

function withField(body: Record<string, unknown>, [name, ...rest]: string[], value: string | number): object {
  const inner = isObject(body[name!]) ? (body[name!] as Record<string, unknown>) : {}
  return { ...body, [name!]: rest.length ? withField(inner, rest, value) : value }
}
