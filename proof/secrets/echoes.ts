// A call through the gateway to a vendor that repeats the credentials it was called with, in headers and body.
import type { ProviderId } from '@adjoin/contract'
import { examples } from '../../api/src/gateway/examples.ts'
import type { Admin } from './people.ts'

const MASK = '************'

/** Whether the vendor repeated something, and it was masked in its headers as in its body. */
export async function callEchoing(
  { client }: Admin,
  provider: ProviderId,
  at: { orgSlug: string; workspaceSlug: string; id: string },
): Promise<boolean> {
  const { method, path, body } = examples[provider][0]!
  const { fetch } = client.integration({ org: at.orgSlug, workspace: at.workspaceSlug, id: at.id })
  const answer = await fetch(`${path}${path.includes('?') ? '&' : '?'}sandbox=echo`, {
    method,
    ...(body != null && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const headers = [...answer.headers.values()].join('\n')
  return answer.headers.get('adjoin-answer') === provider && headers.includes(MASK) && (await answer.text()).includes(MASK)
}
