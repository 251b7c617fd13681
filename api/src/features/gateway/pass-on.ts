import type { Streamed } from '@adjoin/contract'
import { passedOn } from '../../gateway/headers.ts'
import type { GatewayRules } from '../../gateway/rules/rules.ts'
import type { Scrub } from '../../gateway/scrub.ts'
import type { VendorAnswer } from '../../gateway/vendor-answer.ts'
import { Refusal } from '../../refusal.ts'
import type { OpenAccess } from './access.ts'
import type { Admitted, ProxyCall } from './admit.ts'

interface Passing {
  readonly answer: VendorAnswer
  readonly scrub: Scrub
  readonly callId: string | undefined
  readonly ended: (error: Error | null) => void
}

/** On our origin a vendor's page must be harmless: it is a file to save, in a sandbox. */
export function passOn(call: ProxyCall, admitted: Admitted, { answer, scrub, callId, ended }: Passing): Streamed {
  const { provider, headers } = admitted
  const { dropped } = headers
  const empty = answer.status === 204 || answer.status === 304
  if (empty) answer.abort()
  const scrubber = scrub.scrubber()
  let masked = 0
  const clean = (text: string) => {
    const cleaned = scrub.text(text)
    if (cleaned !== text) masked++
    return cleaned
  }
  const finish = (error: Error | null) => {
    const secrets = masked + scrubber.count
    if (secrets) call.parts.gateway.watch.scrubbed(provider.id, secrets)
    ended(error)
  }
  const whole = empty ? NOTHING : answer.whole()
  const chunks = whole
    ? scrubber.whole(whole)
    : answer.body(scrubber, finish, new Refusal('vendor_answer_unusable', { headers: { 'adjoin-answer': 'adjoin' } }))
  const length = answer.headers['content-encoding'] ? undefined : answer.headers['content-length']
  const passed: Streamed = {
    status: answer.status,
    type: clean(String(answer.headers['content-type'] ?? 'application/octet-stream')),
    chunks,
    headers: {
      ...passedOn(answer.headers, clean),
      ...addressesOf(call, admitted, answer, clean),
      ...(length && !empty && { 'content-length': String(length) }),
      ...(dropped.length && { 'adjoin-dropped-headers': dropped.join(', ') }),
      ...(callId && { 'adjoin-call': callId }),
      'adjoin-answer': provider.id,
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'content-disposition': 'attachment',
    },
  }
  if (whole) finish(null)
  return passed
}

const NOTHING = Buffer.alloc(0)

/**
 * Without the secrets of the connection and of the operator's app. What was added to the call is as secret as
 * what it was made of: a signature, a user and a password in one word, also without the scheme before it.
 */
export function scrubOf({ parts }: Pick<ProxyCall, 'parts'>, rules: GatewayRules, access: OpenAccess): Scrub {
  const { id, credential_version } = access.row
  return parts.gateway.scrub(`${id}|${credential_version}`, () => {
    const { headers, query = {} } = rules.inject(access)
    const added = [...Object.values(headers), ...Object.values(query)]
    return [...access.secrets(), ...added, ...added.map((value) => value.replace(/^\w+ /, ''))]
  })
}

/** Where something else is found. Adform says only here what the report is called that was just started. */
const ADDRESSES = ['location', 'operation-location', 'content-location'] as const

/**
 * Never followed: one that stays at the ad system leads through
 * the gateway again, any other is shown but leads nowhere.
 */
function addressesOf(
  call: ProxyCall,
  { rules, host, rawPath }: Admitted,
  { headers }: VendorAnswer,
  clean: (text: string) => string,
): Record<string, string> {
  const { organization, workspace, params } = call
  const addresses: Record<string, string> = {}
  for (const name of ADDRESSES) {
    const sent = headers[name]
    if (sent === undefined) continue
    const url = URL.parse(String(sent), `https://${host}${rawPath}`)
    const isTheirs = url?.protocol === 'https:' && rules.hosts.some((one) => one.host === url.host)
    const through = `/v1/organizations/${organization.slug}/workspaces/${workspace.slug}/integrations/${params.id}/proxy`
    if (isTheirs) addresses[name] = clean(`${through}/${url.host}${url.pathname}${url.search}`)
    else addresses[`adjoin-${name}`] = clean(String(sent))
  }
  return addresses
}
