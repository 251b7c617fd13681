// A refusal in words that an agent can act on: what the problem document says, and whom to ask, since software can't ask itself.
import type { ProblemCode } from '@adjoin/contract'
import type { Refusal } from '../refusal.ts'

/** What to do next, where the problem's own sentence is meant for people or for programs. */
const ADVICE: { readonly [Code in ProblemCode]?: string } = {
  integration_unconnected: 'You can’t reconnect it. Ask a member of the workspace to issue a connect link and send it to the client.',
  integration_disabled: 'You can’t enable it. Ask a member of the workspace.',
  vendor_refused_credential: 'Look at integration_health in a minute: it will say who must act.',
  change_refused: 'Don’t try another method or path for the same change: tell the person what you would change, and why.',
  path_refused: 'Look at describe_ad_api for the paths that are open.',
  path_invalid: 'Look at describe_ad_api for how paths are written.',
  account_outside: 'Look at list_accounts: only accounts with `allowed: true` can be named.',
  calls_off: 'Don’t try again before a workspace admin has changed it.',
  organization_frozen: 'Don’t try again before an admin has unfrozen it.',
  not_found: 'Call find_integrations for what you can see.',
  role_too_low: 'Your credential’s role is too low for this tool; the others still work.',
  credential_refused: 'This tool needs another kind of credential; the others still work.',
  vendor_unreachable: 'If it happens again, look at integration_health.',
  internal_error: 'Something went wrong on the server. Try once more; then tell the person, with the request id.',
}

export function refusalText({ code, message, details }: Refusal, requestId: string): string {
  const seconds = details.headers?.['retry-after']
  const fields = (details.errors ?? []).map(({ path, message: wrong }) => `- ${path || 'input'}: ${wrong}`)
  return [
    `Refused (${code}): ${code === 'internal_error' ? '' : message}`.trim(),
    ...fields,
    ...(seconds ? [`Wait ${seconds} seconds before you try again.`] : []),
    ...(ADVICE[code] ? [ADVICE[code]] : []),
    ...(code === 'internal_error' ? [`Request id: ${requestId}`] : []),
  ].join('\n')
}
