import * as z from 'zod'
import { named } from './fields.ts'

const TITLES = {
  400: 'Validation Failed',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  417: 'Expectation Failed',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
} as const

export type ProblemStatus = keyof typeof TITLES

/** THE REFUSALS: code → status and a sentence that says what to do. A verb may say it more precisely. */
// biome-ignore format: a table
export const problems = {
  validation_failed: [400, 'The request does not match its schema; `errors` names each field at fault.'],
  invalid_json: [400, 'The body is not valid JSON in UTF-8, at most 32 levels deep. Send a JSON object.'],
  invalid_url: [400, 'The request path cannot be decoded. Percent-encode it as UTF-8.'],
  malformed_request: [400, 'The request is not well-formed HTTP/1.1. Check its request line, headers and lengths.'],
  host_missing: [400, 'HTTP/1.1 requests need exactly one Host header.'],
  invalid_cursor: [400, 'This cursor is not one of this list. Start again without `cursor`.'],
  untrusted_url: [400, 'This address is not on a trusted origin. Use one on the service’s own origin, or ask the operator to add it to TRUSTED_ORIGINS.'],
  public_mailbox: [400, 'Anyone can get an email address at this domain. Use an address of your company’s own domain.'],
  provider_unconfigured: [400, 'This identity provider is not set up here. Choose `magic-link`, or ask the operator to configure it.'],

  path_invalid: [400, 'This path could be read in more than one way. Send it as the ad system’s documentation writes it, without dot segments, double slashes or encoded separators.'],
  wrong_connect_method: [400, 'This ad system is connected another way: see `authMethod` of the integration.'],

  credential_missing: [401, 'No credential was sent. Sign in, or send an API key in `x-api-key`.'],
  credential_invalid: [401, 'This credential is not usable: it is unknown, malformed, expired, revoked or disabled. Sign in again, or use another key.'],
  credential_refused: [401, 'This class of credential is not accepted here; `WWW-Authenticate` names those that are.'],
  origin_refused: [401, 'A change with the session cookie must come from the portal’s own origin. Use a bearer token or an API key elsewhere.'],
  sign_in_invalid: [401, 'This sign-in link or code is wrong, used or expired. Ask for a new mail and open its link.'],
  link_expired: [401, 'This connect link has expired. Ask the agency for a new one.'],
  device_pending: [400, 'The login has not been approved yet. Ask again after `interval` seconds.'],
  device_slow_down: [400, 'Asked too often. Wait 5 seconds longer between two questions.'],
  device_denied: [400, 'The login was denied in the browser.'],
  device_expired: [400, 'This device code is unknown, used or expired. Start again.'],

  role_too_low: [403, 'Your role does not allow this. Ask an admin of the organization or workspace.'],
  above_own_role: [403, 'Nobody can give more than they hold. Choose a lower role.'],
  creator_gone: [403, 'The person who created this key is no longer an admin of the organization, so the key can’t invite people or rotate other keys. Ask an admin to rotate it; it then belongs to them.'],
  change_refused: [403, 'This call would change something at the ad system. It needs the role of a member and an integration whose call policy is `full`.'],
  calls_off: [403, 'Calls through this integration are turned off. Ask a workspace admin to change its call policy.'],
  path_refused: [403, 'This path is not open through the gateway.'],
  account_outside: [403, 'This call names an account outside of those that the integration’s call policy allows.'],

  not_found: [404, 'There is nothing here that you can see.'],
  method_not_allowed: [405, 'This path does not take that method; `Allow` names those it takes.'],
  request_timeout: [408, 'The request took too long to arrive.'],

  role_held: [409, 'This person already holds that role or a higher one.'],
  invitation_pending: [409, 'An invitation for this address is already pending. Resend or cancel it.'],
  invitation_closed: [409, 'This invitation is no longer pending. Ask for a new one.'],
  invitation_too_far: [409, 'This invitation is already valid for almost 30 days. Wait before sending it again.'],
  domain_taken: [409, 'This domain already belongs to an organization. Sign in with your address to join it, or ask one of its admins to invite you.'],
  slug_taken: [409, 'This slug is taken. Choose another.'],
  last_admin: [409, 'An organization needs an admin. Make someone else admin first.'],
  workspace_in_use: [409, 'This workspace has active integrations. Disable them first, or delete it with `force=true`.'],
  integration_disabled: [409, 'This integration is disabled. Enable it first.'],
  integration_unconnected: [409, 'This integration has never been connected. Send the client its connect link first.'],
  gateway_unavailable: [409, 'Calls to this ad system cannot be checked yet, so none are sent.'],
  organization_frozen: [409, 'This organization is frozen: nothing is sent to ad systems until an admin thaws it.'],
  fence_unavailable: [409, 'Calls to this ad system cannot be limited to accounts. Limit the access in the ad system itself.'],
  already_sent: [409, 'The first request with this Idempotency-Key was sent to the ad system. It is never sent twice: look at the calls of the integration for how it ended.'],
  check_running: [409, 'A check of this integration is running. Repeat the request in a moment.'],
  provider_unavailable: [409, 'This ad system is not set up here yet. The operator must configure its OAuth client.'],
  key_disabled: [409, 'This key is disabled. Enable it first.'],
  key_revoked: [409, 'This key is revoked for good. Create a new one.'],
  key_replaced: [409, 'This key has already been replaced. Rotate its replacement.'],
  device_closed: [409, 'This login has already been approved or denied.'],
  quota_reached: [409, 'This collection is full. Remove something first.'],
  request_running: [409, 'The first request with this Idempotency-Key is still running. Repeat it in a moment.'],
  answer_lost: [409, 'The first request with this Idempotency-Key was carried out, but its answer was lost. Read the resource instead of repeating.'],

  body_too_large: [413, 'The body is larger than this operation takes: 64 KiB, or 1 MiB for calls to ad systems.'],
  unsupported_media_type: [415, 'Send the body as `application/json` without a content encoding.'],
  expectation_failed: [417, 'Only `Expect: 100-continue` is understood.'],
  idempotency_mismatch: [422, 'This Idempotency-Key was used with another body or query. Use a new key for a new request.'],
  limit_exceeded: [429, 'Too many requests of this kind. Wait as long as `Retry-After` says.'],
  vendor_throttled: [429, 'The ad system asked us to slow down. Wait as long as `Retry-After` says.'],
  vendor_busy: [429, 'Too many calls through this integration are in progress. Wait for some to finish, then repeat this one.'],
  headers_too_large: [431, 'The request headers are larger than 16 KiB.'],

  internal_error: [500, undefined],
  vendor_refused_credential: [502, 'The ad system no longer accepts this connection. It is being checked; the integration will say who must act.'],
  vendor_unreachable: [502, 'We couldn’t reach the ad system. Repeat the request in a moment.'],
  vendor_answer_unusable: [502, 'The ad system answered in a form that cannot be passed on.'],
  vendor_timeout: [504, 'The ad system took too long to answer. Whether a change was made there is unknown: look before you repeat it.'],
  too_much_at_once: [503, 'You have too many requests in progress. Wait for some to finish, then repeat this one.'],
  unavailable: [503, 'The service cannot answer just now. Repeat the request after `Retry-After` seconds.'],
} as const satisfies Record<string, readonly [ProblemStatus, string | undefined]>

export type ProblemCode = keyof typeof problems

export const Problem = named(
  'Problem',
  z
    .looseObject({
      type: z.literal('about:blank'),
      title: z.string(),
      status: z.int(),
      detail: z.string().optional(),
      instance: z.string(),
      requestId: z.string().optional(),
      code: z.string().describe('A stable word for the case, for programs'),
      errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    })
    .describe('RFC 9457 problem document'),
)

export type Problem = z.output<typeof Problem>
export type FieldError = { path: string; message: string }

export const statusOf = (code: ProblemCode): ProblemStatus => problems[code][0]

/** The document itself; `extension` holds further members such as `checks` or `error`. */
export function problem(code: ProblemCode, instance: string, more: Partial<Problem> = {}): Problem {
  const [status, sentence] = problems[code]
  const { detail = sentence, ...rest } = more
  return { type: 'about:blank', title: TITLES[status], status, ...(detail && { detail }), instance, code, ...rest }
}
