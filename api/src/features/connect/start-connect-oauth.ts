import type { Handler } from '../../call.ts'
import { authorizationUrl, challengeOf, newVerifier } from '../../providers/oauth.ts'
import { refuse } from '../../refusal.ts'
import { consentFields } from '../integrations/form.ts'
import { findIntegration } from '../integrations/integration-row.ts'
import { findLiveLink, refuseLink } from './find-link.ts'
import { noteStart } from './note-start.ts'
import { beginVisit } from './visit.ts'

export const CALLBACK = '/v1/connect/oauth/callback'

export const startConnectOAuth: Handler<'startConnectOAuth'> = async (call) => {
  const { parts, params, body } = call
  const link = await findLiveLink(parts, params.token)
  const row = (await findIntegration(parts.db.query, { organizationId: link.organization_id, id: link.integration_id })) ?? refuseLink()
  const { provider, fields } = consentFields(row.provider, body)
  if (!parts.vendorSessions.available(provider, fields)) refuse('provider_unavailable')
  const linkHash = parts.secrets.lookup('connect-link', params.token)
  await noteStart(call, link, linkHash)
  const codeVerifier = newVerifier()
  const state = await beginVisit(parts, {
    organizationId: link.organization_id,
    integrationId: link.integration_id,
    provider: provider.id,
    linkHash: linkHash.toString('base64url'),
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
