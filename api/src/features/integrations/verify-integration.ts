import type { Handler } from '../../call.ts'
import { refuse } from '../../refusal.ts'
import { checkNow } from './check-now.ts'
import { findIntegration, integrationRef } from './integration-row.ts'

export const verifyIntegration: Handler<'verifyIntegration'> = async (call) => {
  const snapshot = (await findIntegration(call.parts.db.query, integrationRef(call))) ?? refuse('not_found')
  if (snapshot.status === 'disabled') refuse('integration_disabled')
  if (snapshot.credential === null) refuse('integration_unconnected')
  return checkNow(call, 'verify')
}
