import type { Call, Handler } from '../../call.ts'
import { authorizationUrl, challengeOf, newVerifier } from '../../providers/oauth.ts'
import { refuse } from '../../refusal.ts'
import { consentFields } from '../integrations/form.ts'
import { findIntegration } from '../integrations/integration-row.ts'
import { findLiveItem, findLiveLink, type LinkRow, refuseLink } from './find-link.ts'
import { noteStart } from './note-start.ts'
import { beginVisit } from './visit.ts'

export const CALLBACK = '/v1/connect/oauth/callback'

export const startConnectOAuth: Handler<'startConnectOAuth'> = async (call) =>
  start(call, await findLiveLink(call.parts, call.params.token))

export const startConnectItemOAuth: Handler<'startConnectItemOAuth'> = async (call) =>
  start(call, await findLiveItem(call.parts, call.params))

async function start(call: Call<'startConnectOAuth' | 'startConnectItemOAuth'>, link: LinkRow): Promise<{ authorizationUrl: string }> {
  const { parts, body } = call
  const row = (await findIntegration(parts.db.query, { organizationId: link.organization_id, id: link.integration_id })) ?? refuseLink()
  const { provider, fields } = consentFields(row.provider, body)
  if (!parts.vendorSessions.available(provider, fields)) refuse('provider_unavailable')
  await noteStart(call, link)
  const codeVerifier = newVerifier()
  const state = await beginVisit(parts, {
    organizationId: link.organization_id,
    integrationId: link.integration_id,
    provider: provider.id,
    linkHash: link.hash.toString('base64url'),
    way: link.way,
    itemId: link.item_id,
    codeVerifier,
    fields,
  })
  const consent = {
    redirectUri: `${parts.config.publicUrl}${CALLBACK}`,
    state,
    codeChallenge: challengeOf(codeVerifier),
    loginHint: row.expected_account?.includes('@') ? row.expected_account : null,
  }
  return { authorizationUrl: authorizationUrl(parts.vendorSessions.open(provider, link.now), fields, consent) }
}
