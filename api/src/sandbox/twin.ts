/** What a twin is: routes by method, host and path, and the scripted answers all twins share. */

/** How the story goes on after a login or a consent. */
export const plays = ['allow', 'partial', 'other', 'refuse', 'throttle', 'outage', 'slow', 'garble'] as const
export type Play = (typeof plays)[number]

export type TokenKind = 'code' | 'access' | 'refresh'
/** What a token of the sandbox says about itself. */
export type TokenClaims = {
  /** One consent or login; revoking ends all its tokens. */
  grant: string
  play: Play
  scopes: string[]
  /** Milliseconds since 1970. */
  expires: number | null
  redirectUri?: string
  challenge?: string
  /** What a twin needs besides. */
  more?: Record<string, string>
}

export type TwinRequest = {
  method: string
  host: string
  path: string
  /** The `{names}` of the route. */
  parameters: Record<string, string>
  query: URLSearchParams
  headers: Record<string, string>
  text: string
  form: URLSearchParams
  json: unknown
}
export type Reply = {
  status: number
  headers?: Record<string, string>
  body: string
  slow?: true
  /** Instead of the body, for those who call the twin; `paced`: with a pause before each. */
  stream?: { chunks: Iterable<Buffer>; paced: boolean }
}

/** What a twin may use: its tokens, what has been spent and revoked, the clock. */
export type TokenIssuer = {
  now(): number
  /** Where the app has said that browsers may return to; undefined: anywhere. */
  redirectUri: string | undefined
  mint(kind: TokenKind, claims?: Partial<TokenClaims>): string
  /** The claims of a live token of that kind; null when foreign, forged, expired, spent or revoked. */
  open(kind: TokenKind, token: string | null | undefined): TokenClaims | null
  spend(token: string): void
  revoke(grant: string): void
}

export type Route = (request: TwinRequest, issuer: TokenIssuer) => Reply
export type Twin = {
  /** How this system's tokens look around the signed part. */
  wrap: Partial<Record<TokenKind, (sealed: string) => string>>
  /** "METHOD host/path/{name}" */
  routes: Record<string, Route>
}

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(body),
})
export const text = (status: number, body: string, type = 'text/plain; charset=utf-8'): Reply => ({
  status,
  headers: { 'content-type': type },
  body,
})
export const empty = (status: number, headers: Record<string, string> = {}): Reply => ({ status, headers, body: '' })
export const outage = () => text(503, '<html><body><h1>503 Service Unavailable</h1></body></html>', 'text/html')
const garbled = () => json(200, { unexpected: 'shape' })

/** What values typed into a form ask to be played. */
export function playIn(...values: (string | null | undefined)[]): Play {
  const spoken = values.join(' ').toLowerCase()
  return (['refuse', 'throttle', 'outage', 'slow', 'garble'] as const).find((play) => spoken.includes(play)) ?? 'allow'
}

/** Systems differ in how they refuse and throttle, some in how they break down. */
export type Script = { refuse: () => Reply; throttle: () => Reply; outage?: () => Reply }

/** The scripted answer, or the ordinary one. */
export function played(play: Play, scripted: Script, ordinary: () => Reply): Reply {
  if (play === 'refuse') return scripted.refuse()
  if (play === 'throttle') return scripted.throttle()
  if (play === 'outage') return (scripted.outage ?? outage)()
  if (play === 'garble') return garbled()
  return play === 'slow' ? { ...ordinary(), slow: true } : ordinary()
}

/** The token after the scheme of an Authorization header. */
export const bearerOf = ({ headers }: TwinRequest) => headers.authorization?.match(/^Bearer (\S+)$/)?.[1]

/**
 * A call behind a bearer token: without a live one it is refused,
 * with one its script is played before `ordinary` answers.
 * `unknown` is for systems that tell a token they never gave from one that has ended.
 */
export const guarded =
  (
    scripted: Script & { unknown?: () => Reply },
    ordinary: (request: TwinRequest, claims: TokenClaims, issuer: TokenIssuer) => Reply,
  ): Route =>
  (request, issuer) => {
    const token = bearerOf(request)
    const claims = issuer.open('access', token)
    if (claims) return played(claims.play, scripted, () => ordinary(request, claims, issuer))
    return token?.includes('sandbox_') ? scripted.refuse() : (scripted.unknown ?? scripted.refuse)()
  }

/** User and password of an HTTP Basic header; empty strings without one. */
export function basicOf({ headers }: TwinRequest): [user: string, password: string] {
  const plain = Buffer.from(headers.authorization?.match(/^Basic (\S+)$/)?.[1] ?? '', 'base64').toString()
  const colon = plain.indexOf(':')
  return colon < 0 ? ['', ''] : [plain.slice(0, colon), plain.slice(colon + 1)]
}

/** The account every login of the sandbox owns, and the one that another person's login owns. */
export const OWN = '1234567890'
export const OTHER = '5555555555'
/** What is on one page of a list, and the token of the next: pages are short, so that there is a second one. */
export function pageFrom<T>(all: readonly T[], token: string | null | undefined, size = 2): { items: T[]; next: string | null } {
  const start = Number(token?.replace(/\D/g, '') || 0)
  return { items: all.slice(start, start + size), next: start + size < all.length ? `page-${start + size}` : null }
}

export const ownAccountId = ({ play }: TokenClaims) => (play === 'other' ? OTHER : OWN)
export const emailOf = ({ play }: Pick<TokenClaims, 'play'>) => (play === 'other' ? 'other@example.com' : 'person@example.com')
