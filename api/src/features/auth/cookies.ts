import type { Call } from '../../call.ts'
import type { Config } from '../../config.ts'

/** What a step of signing in needs of its request. */
export type FlowCall = Pick<Call, 'parts' | 'origin' | 'headers'>

/** How long a person may take at the identity provider, or to find the mail. */
export const FLOW_SECONDS = 600

/** On https the browser itself refuses a cookie of this name set by another host or an insecure page. */
const nameOf = (config: Config, name: string) => (config.publicUrl.startsWith('https://') ? `__Host-adjoin_${name}` : `adjoin_${name}`)

/**
 * A short-lived cookie that only the flow itself reads. Lax:
 * it must come along when the provider sends the browser back.
 */
export function setFlowCookie({ parts: { config }, headers }: Pick<Call, 'parts' | 'headers'>, name: string, value: string): void {
  const secure = config.publicUrl.startsWith('https://') ? '; Secure' : ''
  const age = value ? FLOW_SECONDS : 0
  addCookie(headers, `${nameOf(config, name)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${age}${secure}`)
}

export const flowCookie = ({ parts, origin }: Pick<Call, 'parts' | 'origin'>, name: string): string | undefined =>
  origin.cookies[nameOf(parts.config, name)]

/** One answer may set several. */
export function addCookie(headers: Call['headers'], cookie: string): void {
  headers['set-cookie'] = [headers['set-cookie'] ?? [], cookie].flat()
}
