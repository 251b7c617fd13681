// The rules, tried on answers that break them: a proof that could not fail would prove nothing.
import { faultsOf, type Rules } from './rules.ts'
import { HOST } from './texts.ts'
import type { WireAnswer, WireRequest } from './wire.ts'

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}
const sent = (method: string, target: string): WireRequest => ({
  method,
  target,
  lines: [],
  body: undefined,
  raw: false,
  unfinished: false,
})
const json = { ...HEADERS, 'content-type': 'application/json; charset=utf-8' }
const refused = (status: number, code: string, more: object = {}): WireAnswer => ({
  status,
  headers: { ...HEADERS, 'content-type': 'application/problem+json' },
  body: JSON.stringify({ type: 'about:blank', title: 'Refused', status, instance: '/v1/me', code, ...more }),
})
const redirect = (location: string): WireAnswer => ({ status: 302, headers: { ...HEADERS, location }, body: '' })
const me = sent('GET', '/v1/me')
const signIn = sent('GET', '/v1/auth/google')
const returning = sent('GET', '/v1/connect/oauth/callback')

/** What must be found fault with, and what must not. */
const bad: readonly (readonly [what: string, WireRequest, readonly WireAnswer[]])[] = [
  ['a defect', me, [refused(500, 'internal_error')]],
  ['no answer', me, []],
  ['two answers', me, [refused(401, 'credential_missing'), refused(401, 'credential_missing')]],
  ['a refusal that is not listed', me, [refused(404, 'not_there')]],
  ['a code of another status', me, [refused(401, 'role_too_low')]],
  ['a status that the body denies', me, [refused(401, 'credential_missing', { status: 400 })]],
  ['a refusal in HTML', me, [{ ...refused(401, 'credential_missing'), headers: { ...HEADERS, 'content-type': 'text/html' } }]],
  ['a refusal without a title', me, [refused(401, 'credential_missing', { title: undefined })]],
  ['a stack trace', me, [refused(400, 'validation_failed', { detail: 'at parse (/app/api/src/call.ts:12:3)' })]],
  ['words of the database', me, [refused(400, 'validation_failed', { detail: 'duplicate key value violates unique constraint' })]],
  ['an answer that is not as described', me, [{ status: 200, headers: json, body: '{"id":5}' }]],
  ['an answer that is no JSON', me, [{ status: 200, headers: json, body: 'oops' }]],
  ['a success that is not listed', me, [{ status: 206, headers: json, body: '{}' }]],
  ['a success where nothing is', sent('GET', '/v1/nowhere'), [{ status: 200, headers: json, body: '{}' }]],
  ['a redirect to a stranger', signIn, [redirect('https://evil.example/')]],
  ['a redirect without a scheme', signIn, [redirect('//evil.example')]],
  ['a redirect with a backslash', signIn, [redirect('/\\evil.example')]],
  ['a return to a page that nobody chose', returning, [redirect(`https://evil.example/?integrationId=1&status=failed`)]],
  ['a script for an address', signIn, [redirect('javascript:alert(1)')]],
  ['a header let in', me, [{ ...refused(401, 'credential_missing'), headers: { ...refused(401, '').headers, 'x-injected': '1' } }]],
  ['a missing header', me, [{ ...refused(401, 'credential_missing'), headers: { 'content-type': 'application/problem+json' } }]],
  ['a host of the request’s making', me, [refused(401, 'credential_missing', { detail: `See https://${HOST}/` })]],
]
const fine: readonly (readonly [what: string, WireRequest, readonly WireAnswer[]])[] = [
  ['a refusal that is listed', me, [refused(401, 'credential_missing')]],
  ['a redirect to ourselves', signIn, [redirect('http://localhost:3000/error?code=state_invalid')]],
]

/** Names of the controls that came out wrong. */
export const failedControls = (rules: Rules): { tried: number; wrong: string[] } => ({
  tried: bad.length + fine.length,
  wrong: [
    ...bad.filter(([, request, answers]) => !faultsOf(rules, request, answers).length),
    ...fine.filter(([, request, answers]) => faultsOf(rules, request, answers).length),
  ].map(([what]) => what),
})
