import type { ConnectError } from '@adjoin/contract'
import { storable } from '@adjoin/contract/fields'
import type { Call, Handler, Parts } from '../../call.ts'
import { withOutcome } from '../../domain/integration.ts'
import { accountChoice } from '../../providers/accounts/settings.ts'
import { findProvider } from '../../providers/index.ts'
import { readCallback } from '../../providers/oauth.ts'
import type { FieldValues, Provider } from '../../providers/provider.ts'
import { connectByConsent, type Result } from '../../providers/session.ts'
import { Refusal, refuse } from '../../refusal.ts'
import { requestUrlOf } from '../connect-requests/request-row.ts'
import { findIntegration } from '../integrations/integration-row.ts'
import { openVendorSession } from '../integrations/vendor-session.ts'
import { complete } from './complete.ts'
import { type LinkRow, linkOfVisit } from './find-link.ts'
import { type ConnectOutcome, resultOf, sealResult } from './result.ts'
import { CALLBACK } from './start-connect-oauth.ts'
import { type ConsentVisit, endVisit, readVisit } from './visit.ts'

type FinishCall = Call<'finishConnectOAuth'>

/**
 * The browser comes back. Whatever happened, also to ourselves, it is sent on:
 * after a consent to the agency's page, else to ours.
 */
export const finishConnectOAuth: Handler<'finishConnectOAuth'> = async (call) => {
  const { config, log } = call.parts
  const errorRedirect = (code: ConnectError) => ({ location: `${config.publicUrl}/error?code=${code}` })
  try {
    const query = usableParameters(call.query)
    const visit = query.state ? readVisit(call.parts, query.state) : undefined
    const now = visit && (await endVisit(call.parts, visit))
    if (!now) return errorRedirect('connect_state_invalid')
    const provider = findProvider(visit.provider)
    const link = await linkOfVisit(call.parts, visit)
    if (!provider || !link) return (await wayOnOf(call.parts, visit, now)) ?? errorRedirect('connect_link_gone')
    const list = link.request_id && link.way === 'item' ? await requestUrlOf(call.parts, link.organization_id, link.request_id) : null
    const location = await completeVisit(call, query, visit, provider, link, list).catch(backTo(list)).catch(ifRefused)
    return location ? { location } : ((await wayOnOf(call.parts, visit, now)) ?? errorRedirect('connect_link_gone'))
  } catch (error) {
    log.error({ err: error }, 'a client could not be connected')
    return errorRedirect('connect_failed')
  }
}

/** Somebody else has connected it meanwhile: the list shows so. */
const backTo = (list: string | null) => (error: unknown) => {
  if (list && error instanceof Refusal && error.code === 'item_closed') return list
  throw error
}

/** The link went while the ad system was being asked. */
const ifRefused = (error: unknown): undefined => {
  if (!(error instanceof Refusal)) throw error
}

/**
 * The link was used, replaced or revoked, or has expired, while its client was away: our page says so
 * and offers the agency's. The items of a request have no such page.
 */
async function wayOnOf(parts: Parts, visit: ConsentVisit, now: Date): Promise<{ location: string } | undefined> {
  if (visit.way === 'item') return undefined
  const row = await findIntegration(parts.db.query, { organizationId: visit.organizationId, id: visit.integrationId })
  if (!row?.return_url) return undefined
  const sealed = sealResult(parts, row, { outcome: 'failed', linkHash: visit.linkHash, at: now })
  return { location: `${parts.config.publicUrl}/connect/result#${sealed}` }
}

/** Parameters that came once, as well-formed text of a sane length. */
const usableParameters = (query: Record<string, unknown>): FieldValues =>
  Object.fromEntries(
    Object.entries(query).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].length <= 4096 && storable(entry[1]),
    ),
  )

async function completeVisit(
  call: FinishCall,
  query: FieldValues,
  visit: ConsentVisit,
  provider: Provider,
  link: LinkRow,
  list: string | null,
): Promise<string> {
  const { parts } = call
  const snapshot = await findIntegration(parts.db.query, { organizationId: visit.organizationId, id: visit.integrationId })
  if (!snapshot) return refuse('not_found')
  const session = openVendorSession(parts, link.organization_id, provider, visit.fields, link.now)
  const began = performance.now()
  const back = readCallback(session, visit.fields, query)
  const result: Result =
    back.outcome === 'code'
      ? await connectByConsent(
          session,
          visit.fields,
          { code: back.code, redirectUri: `${parts.config.publicUrl}${CALLBACK}`, codeVerifier: visit.codeVerifier },
          { settings: snapshot.settings, expectedAccount: snapshot.expected_account },
        )
      : { outcome: back, credential: null }
  const canceled = result.outcome.outcome === 'rejected' && result.outcome.reason === 'consent_denied'
  const { row, stored, reason } = await complete(call, link, {
    provider,
    result,
    snapshot,
    durationMs: performance.now() - began,
  })
  const outcome: ConnectOutcome = stored ? 'connected' : canceled ? 'canceled' : 'failed'
  // A code that was exchanged proves a consent.
  // Anything else may be an address that somebody wrote to have us send its reader elsewhere.
  const consented = result.credential !== null
  const sealed = await resultOf(parts, row, link, { outcome, consented: stored && consented })
  if (list) return `${list}#result=${sealed}`
  // Which account is asked on our page, which sends the client on afterwards.
  const choosing = stored && reason === 'setting_missing' && accountChoice(provider, row.settings) !== null
  return consented && row.return_url && !choosing
    ? withOutcome(row.return_url, outcome, row.id)
    : `${parts.config.publicUrl}/connect/result#${sealed}`
}
