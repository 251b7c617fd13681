import { oauthRoutes } from './oauth.ts'
import {
  bearerOf,
  emailOf,
  guarded,
  json,
  OTHER,
  OWN,
  outage,
  ownAccountId,
  pageFrom,
  type Reply,
  type Route,
  type TokenClaims,
  type TokenIssuer,
  type Twin,
  type TwinRequest,
} from './twin.ts'

const AUTHORIZE = 'GET www.facebook.com/{version}/dialog/oauth'
const TOKEN = 'GET graph.facebook.com/{version}/oauth/access_token'
const HOUR = 3_600_000
const DAYS_60 = 60 * 24 * HOUR
const scopes = ['ads_read', 'ads_management', 'business_management', 'public_profile', 'email']

const failure = (status: number, code: number, message: string, more: object = {}, headers: Record<string, string> = {}): Reply =>
  json(status, { error: { message, type: 'OAuthException', code, ...more, fbtrace_id: 'sandbox' } }, headers)
const dead = (message: string, error_subcode: number) =>
  failure(400, 190, `Error validating access token: ${message}`, { error_subcode }, { 'www-authenticate': 'OAuth "Facebook Platform"' })
const removed = () => dead('The user has not authorized application 123456789012345.', 458)
const usage = { 'facebook-api-version': 'v25.0', 'x-app-usage': '{"call_count":1,"total_cputime":0,"total_time":0}' }
const throttle = () =>
  failure(
    400,
    80000,
    '(#80000) There have been too many calls from this ad-account. Wait a bit and try again.',
    { error_subcode: 2446079 },
    { ...usage, 'x-business-use-case-usage': '{"1":[{"type":"ads_insights","call_count":100,"estimated_time_to_regain_access":19}]}' },
  )
const scripted = {
  refuse: removed,
  throttle,
  outage: () => failure(503, 2, '(#2) Service temporarily unavailable', { is_transient: true }),
}

const token = ({ grant, play, scopes, more }: TokenClaims, issuer: TokenIssuer, milliseconds: number): Reply =>
  json(200, {
    access_token: issuer.mint('access', { grant, play, scopes, more, expires: issuer.now() + milliseconds }),
    token_type: 'bearer',
    expires_in: milliseconds / 1000,
  })

/** A code for a token of an hour or so, a living token for one of 60 days. */
const redeem: Route = ({ query }, issuer) => {
  if (!query.get('client_id') || !query.get('client_secret') || query.get('client_secret')?.includes('refuse'))
    return failure(400, 1, 'Error validating client secret.')
  if (query.get('grant_type') === 'fb_exchange_token') {
    const claims = issuer.open('access', query.get('fb_exchange_token'))
    return claims ? token(claims, issuer, DAYS_60) : dead('The session has been invalidated because the user changed their password.', 460)
  }
  const code = query.get('code') ?? ''
  const claims = issuer.open('code', code)
  if (!claims || (claims.redirectUri && claims.redirectUri !== query.get('redirect_uri'))) {
    const said = 'This authorization code has been used.'
    return failure(400, 100, said, {}, { 'www-authenticate': `OAuth "Facebook Platform" "invalid_code" "${said}"` })
  }
  if (claims.play === 'outage') return outage()
  issuer.spend(code)
  return token(claims, issuer, 1.5 * HOUR)
}

/** A call about an ad account that the person reaches. */
const adAccount = (ordinary: (request: TwinRequest, id: string) => Reply): Route =>
  guarded(scripted, (request, claims) => {
    const id = request.parameters.id!
    if (id === ownAccountId(claims)) return ordinary(request, id)
    const missing = `Object with ID 'act_${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation.`
    return failure(400, 100, `Unsupported get request. ${missing}`, { error_subcode: 33 })
  })

const adAccounts = (claims: TokenClaims) => {
  const business = { id: '99887766', name: 'Example Business' }
  const more = { currency: 'EUR', timezone_name: 'Europe/Berlin', account_status: 1 }
  const account = (id: string, name: string, of?: object) => ({ id: `act_${id}`, account_id: id, name, ...more, ...of })
  if (claims.play === 'other') return [account(OTHER, 'Another Ad Account')]
  return [
    account(OWN, 'Example Ad Account', { business }),
    account('2234567890', 'Example Ad Account 2', { business }),
    account('3234567890', 'Private Ad Account', { account_status: 2 }),
  ]
}

const standard = oauthRoutes({
  system: 'Meta Ads',
  authorize: AUTHORIZE,
  token: TOKEN,
  accessSeconds: DAYS_60 / 1000,
  rotates: false,
  clientAuth: 'post',
  separator: ',',
  denial: { error_code: '200', error_description: 'Permissions error', error_reason: 'user_denied' },
})

export const metaAdsTwin: Twin = {
  wrap: { code: (sealed) => `AQ${sealed}`, access: (sealed) => `EAA${sealed}` },
  routes: {
    ...standard,
    /** Facebook hangs a fragment on the callback, which the browser keeps to itself. */
    [AUTHORIZE]: (request, issuer) => {
      const reply = standard[AUTHORIZE]?.(request, issuer) as Reply
      return reply.headers?.location ? { ...reply, headers: { ...reply.headers, location: `${reply.headers.location}#_=_` } } : reply
    },
    [TOKEN]: redeem,
    'GET graph.facebook.com/{version}/me': guarded(scripted, ({ query }, claims) => {
      const person = { id: ownAccountId(claims), name: claims.play === 'other' ? 'Another Person' : 'Example Person' }
      if (!query.get('fields')?.includes('permissions')) return json(200, person, usage)
      const data = scopes.map((permission) => ({ permission, status: claims.scopes.includes(permission) ? 'granted' : 'declined' }))
      return json(200, { ...person, email: emailOf(claims), permissions: { data } }, usage)
    }),
    'GET graph.facebook.com/{version}/me/adaccounts': guarded(scripted, (request, claims) => {
      const { items, next } = pageFrom(adAccounts(claims), request.query.get('after'))
      // The address of the next page carries the token, as at Meta.
      const address = `https://${request.host}${request.path}?access_token=${bearerOf(request)}&limit=2&after=${next}`
      return json(
        200,
        { data: items, paging: { cursors: { before: 'QVFI', after: next ?? 'end' }, ...(next && { next: address }) } },
        usage,
      )
    }),
    'GET graph.facebook.com/{version}/act_{id}/campaigns': adAccount((request, id) => {
      const campaign = { id: '23840000000000001', name: 'Spring sale', status: 'ACTIVE', objective: 'OUTCOME_TRAFFIC' }
      // The address of the next page carries the token, as at Meta.
      const next = `https://${request.host}${request.path}?access_token=${bearerOf(request)}&limit=1&after=${id}`
      return json(200, { data: [campaign], paging: { cursors: { before: 'QVFI', after: id }, next } }, usage)
    }),
    'GET graph.facebook.com/{version}/act_{id}/insights': adAccount((_request, account_id) => {
      const figures = { impressions: '361324', spend: '5339.5', date_start: '2026-01-04', date_stop: '2026-01-04' }
      return json(200, { data: [{ account_id, ...figures }], paging: { cursors: { before: 'MAZDZD', after: 'MAZDZD' } } }, usage)
    }),
    'POST graph.facebook.com/{version}/act_{id}/insights': adAccount(() => json(200, { report_run_id: '6023920149050' }, usage)),
    'GET graph.facebook.com/{version}/act_{id}': adAccount((_request, id) => {
      const name = id === OTHER ? 'Another Ad Account' : 'Example Ad Account'
      return json(200, { account_id: id, name, account_status: 1, id: `act_${id}` }, usage)
    }),
    'DELETE graph.facebook.com/{version}/{user}/permissions': guarded(scripted, (_request, claims, issuer) => {
      issuer.revoke(claims.grant)
      return json(200, { success: true })
    }),
  },
}
