import type { Parts } from '../../call.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { mustAct, type State } from '../../domain/integration.ts'
import { integrationConnectedMail, integrationErrorMail } from '../../mail/messages.ts'
import { findProvider } from '../../providers/index.ts'
import { whoMustAct } from '../../providers/reasons.ts'
import { queueMail } from '../mails/queue-mail.ts'
import type { IntegrationRow } from './integration-row.ts'
import { addNotice, type Recipient, recipientsOf } from './recipients.ts'

/** How long a client may take to choose the account before anybody hears that it is missing. */
const CHOOSING_MS = 15 * 60_000

export async function lacksSetting({ db }: Parts, { organizationId, integrationId }: { organizationId: string; integrationId: string }) {
  const found = await db.query(sql`select from integrations
    where organization_id = ${organizationId} and id = ${integrationId} and status = 'error' and status_reason = 'setting_missing'`)
  return found.length > 0
}

/** When a client has connected, and once when it turns to error: at once, or in the mail of the day. */
export async function tellOwner(
  parts: Parts,
  query: RunQuery,
  row: IntegrationRow,
  kind: 'connected' | 'failed',
  state: State,
  choosing = false,
): Promise<void> {
  const later = choosing && {
    at: new Date(state.statusCheckedAt!.getTime() + CHOOSING_MS),
    choosing: { organizationId: row.organization_id, integrationId: row.id },
  }
  for (const { id: userId, email, notifications, alone, ...place } of await recipientsOf(query, row)) {
    if (notifications === 'daily') await addNotice(query, row.organization_id, userId, { integrationId: row.id, kind, alone })
    if (notifications === 'now') {
      const reader = {
        power: 'workspace',
        organizationId: row.organization_id,
        userId,
        of: 'integration',
        id: row.id,
        alone,
        notice: kind,
      } as const
      await queueMail(
        parts,
        query,
        kind === 'connected' ? 'integrationConnectedMail' : 'integrationErrorMail',
        { to: email, mail: mailOf(parts, row, kind, state, place), reader, ...(later && { choosing: later.choosing }) },
        { organizationId: row.organization_id, ...(later && { at: later.at }) },
      )
    }
  }
}

function mailOf(
  { config }: Parts,
  row: IntegrationRow,
  kind: 'connected' | 'failed',
  state: State,
  place: Pick<Recipient, 'organization' | 'workspace' | 'workspace_name'>,
) {
  const link = `${config.publicUrl}/organizations/${place.organization}/workspaces/${place.workspace}/integrations/${row.id}`
  const what = { name: row.name, system: findProvider(row.provider)?.name ?? row.provider, workspace: place.workspace_name, link }
  if (kind === 'connected') return integrationConnectedMail({ ...what, account: state.connectedAccount ?? '' })
  return integrationErrorMail({
    ...what,
    detail: state.statusDetail ?? '',
    mustAct: mustAct('error', whoMustAct(state.statusReason), false),
    connected: state.connectedAt !== null,
  })
}
