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
  validation_failed: [400, 'Some values are not valid. `errors` lists each field and what is wrong with it.'],
  invalid_json: [400, 'The body is not valid JSON in UTF-8, or is nested more than 32 levels deep. Send a JSON object.'],
  invalid_url: [400, 'The request path cannot be decoded. Percent-encode it as UTF-8.'],
  malformed_request: [400, 'The request is not valid HTTP/1.1. Check its request line, its headers and `Content-Length`.'],
  host_missing: [400, 'Send exactly one `Host` header; HTTP/1.1 requires it.'],
  invalid_cursor: [400, 'This cursor does not belong to this list. Start again without `cursor`.'],
  untrusted_url: [400, 'This URL is not on a trusted origin. Use one on the service’s own origin, or ask the operator to add its origin to TRUSTED_ORIGINS.'],
  public_mailbox: [400, 'Anyone can get an email address at this domain. Use an address at your company’s own domain.'],
  provider_unconfigured: [400, 'Sign-in with this identity provider is not set up here. Use `magic-link`, or ask the operator to set it up.'],
  path_invalid: [400, 'This path could be read in more than one way. Send it as the ad system’s documentation writes it, without dot segments, double slashes or encoded separators.'],
  wrong_connect_method: [400, 'This ad system connects a different way. Check `authMethod`: `oauth` uses a consent screen, `credentials` a form.'],

  credential_missing: [401, 'No credential was sent. Sign in, or send an API key in `x-api-key`.'],
  credential_invalid: [401, 'This credential can’t be used: it is unknown, malformed, expired, revoked or disabled. Sign in again, or use another key.'],
  credential_refused: [401, 'This kind of credential is not accepted here. `WWW-Authenticate` lists the kinds that are.'],
  origin_refused: [401, 'Changes made with the session cookie must come from the portal’s own origin. From anywhere else, use a bearer token or an API key.'],
  sign_in_invalid: [401, 'This sign-in link or code is wrong, already used or expired. Request a new sign-in email and open its link.'],
  link_expired: [401, 'This connect link has expired. Ask the agency for a new one.'],
  device_pending: [400, 'This login has not been approved yet. Poll again after `interval` seconds.'],
  device_slow_down: [400, 'You are polling too often. Wait 5 seconds longer between requests.'],
  device_denied: [400, 'This login was denied in the browser. Start a new one if that was a mistake.'],
  device_expired: [400, 'This device code is unknown, already used or expired. Start a new login.'],

  role_too_low: [403, 'Your role does not allow this. Ask an admin of the organization or workspace.'],
  above_own_role: [403, 'You can’t grant a role higher than your own. Choose a lower role, or ask an admin.'],
  creator_gone: [403, 'The person who created this key is no longer an admin of the organization, so the key can’t invite people or rotate other keys. Ask an admin to rotate it, which makes them its owner.'],
  change_refused: [403, 'This call would change something at the ad system. It needs the role of a member and an integration whose call policy is `full`.'],
  calls_off: [403, 'Calls through this integration are turned off. Ask a workspace admin to change its call policy.'],
  path_refused: [403, 'This path is not open through the gateway.'],
  account_outside: [403, 'This call names an account that the integration’s call policy does not allow.'],

  not_found: [404, 'Not found, or you don’t have access. Check the address, or ask an admin for access.'],
  method_not_allowed: [405, 'This path does not accept this method. `Allow` lists the methods it accepts.'],
  request_timeout: [408, 'The request took too long to arrive. Send it again.'],

  role_held: [409, 'This person already has this role or a higher one. To change it, update their role instead of inviting them.'],
  invitation_pending: [409, 'An invitation for this address is already pending. Resend or cancel it.'],
  invitation_closed: [409, 'This invitation is no longer pending. Ask for a new one.'],
  invitation_too_far: [409, 'This invitation is already valid for almost 30 days, the maximum. Wait a day or two before you resend it.'],
  domain_taken: [409, 'This email domain already belongs to an organization. Sign in with your address to join it, or ask one of its admins to invite you.'],
  slug_taken: [409, 'This slug is already taken. Choose another one.'],
  last_admin: [409, 'An organization needs at least one admin. Make someone else an admin first.'],
  workspace_in_use: [409, 'This workspace has active integrations. Disable them first, or delete it with `force=true`.'],
  integration_disabled: [409, 'This integration is disabled. Enable it first.'],
  integration_unconnected: [409, 'This integration is not connected. Send the client a connect link first.'],
  link_live: [409, 'This link still works. Open it instead of asking for a new one.'],
  request_open: [409, 'This integration is already part of an open connect request. Cancel that request first, or send it again.'],
  request_closed: [409, 'This connect request is complete or canceled. Create a new one.'],
  request_expired: [409, 'The link of this connect request has expired. Renew it first.'],
  request_missing: [409, 'This integration is not part of an open connect request that was emailed. Create or send one first.'],
  client_email_missing: [409, 'This connect request has no email address. Add one, or share its link yourself.'],
  client_done: [409, 'The client has nothing left to do in this connect request. Its items say what is missing, and who can add it.'],
  mails_stopped: [409, 'This client asked for no more emails from your organization. Share the link another way.'],
  item_closed: [409, 'This was already connected or declined. Reload the page to see the current list.'],
  item_required: [409, 'This one is required. Ask the person who sent you the link if you can’t connect it.'],
  settings_complete: [409, 'Nothing is missing in the settings of this connection. Reload the page to see it.'],
  account_chosen: [409, 'The account of this connection has already been chosen. Reload the page to see it.'],
  receipt_closed: [409, 'This connection has already ended. There is nothing left to disconnect.'],
  gateway_unavailable: [409, 'Calls to this ad system are not supported yet.'],
  organization_frozen: [409, 'This organization is frozen: nothing is sent to ad systems or webhooks. Ask an admin to unfreeze it.'],
  fence_unavailable: [409, 'Calls to this ad system can’t be limited to certain accounts. Limit the access in the ad system itself.'],
  accounts_unlisted: [409, 'This ad system has no list of accounts. Enter the account in the integration’s settings.'],
  already_sent: [409, 'The first request with this Idempotency-Key was sent to the ad system and is never sent twice. Check the integration’s calls for how it ended.'],
  check_running: [409, 'A check of this integration is already running. Try again in a moment.'],
  provider_unavailable: [409, 'This ad system is not set up here yet. Ask the operator to configure its OAuth client.'],
  webhook_disabled: [409, 'This webhook is disabled. Enable it first.'],
  key_disabled: [409, 'This key is disabled. Enable it first.'],
  key_revoked: [409, 'This key was revoked and can’t be used again. Create a new one.'],
  key_replaced: [409, 'This key has already been rotated. Rotate its replacement instead.'],
  device_closed: [409, 'This login has already been approved or denied. Start a new one.'],
  quota_reached: [409, 'The limit for this collection has been reached. Remove something first.'],
  request_running: [409, 'The first request with this Idempotency-Key is still running. Try again in a moment.'],
  answer_lost: [409, 'The first request with this Idempotency-Key was carried out, but its answer was lost. Read the resource instead of sending the request again.'],

  body_too_large: [413, 'The body is larger than 64 KiB, or 1 MiB for calls to ad systems. Send a smaller one.'],
  unsupported_media_type: [415, 'Send the body as `application/json`, without a content encoding.'],
  expectation_failed: [417, 'Only `Expect: 100-continue` is supported. Send the request without any other expectation.'],
  idempotency_mismatch: [422, 'This Idempotency-Key was already used with a different body or query. Use a new key for a new request.'],
  limit_exceeded: [429, 'Too many requests of this kind. Try again after `Retry-After` seconds.'],
  too_many_waits: [429, 'You already have 4 requests waiting for events, or your organization has 20. Let one end, or ask without `wait`.'],
  vendor_throttled: [429, 'The ad system asked us to slow down. Wait as long as `Retry-After` says.'],
  quota_share: [429, 'Your organization has used its share of today’s calls to this ad system. Wait until its next day begins, as `Retry-After` says.'],
  vendor_busy: [429, 'Too many calls through this integration are in progress. Wait for some to finish, then try again.'],
  headers_too_large: [431, 'The request headers are larger than 16 KiB. Send fewer or shorter ones.'],

  internal_error: [500, undefined],
  vendor_refused_credential: [502, 'The ad system no longer accepts this connection. It is being checked; the integration will show who must act.'],
  vendor_unreachable: [502, 'We couldn’t reach the ad system. Try again in a moment.'],
  vendor_answer_unusable: [502, 'The ad system’s answer can’t be passed on. Ask for another format. A change may have been made there: check before you send it again.'],
  vendor_timeout: [504, 'The ad system took too long to answer. A change may have been made there: check before you send it again.'],
  too_much_at_once: [503, 'You have too many requests in progress. Wait for some to finish, then try again.'],
  outcome_unknown: [503, 'The connection to the database was lost while your change was being saved, so it may have been made. Send the request again with the same `Idempotency-Key`: the change is never made twice. If you sent no key, check first whether it was made.'],
  unavailable: [503, 'The service is temporarily unavailable. Try again after `Retry-After` seconds.'],
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
      code: z.string().describe('A stable code for programs; it says which problem this is'),
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
