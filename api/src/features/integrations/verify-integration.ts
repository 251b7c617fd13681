import type { Handler } from '../../call.ts'
import { refuse } from '../../refusal.ts'
import { checkNow } from './check-now.ts'
import { findIntegration, placeOf } from './integration-row.ts'

export const verifyIntegration: Handler<'verifyIntegration'> = async (call) => {
  const seen = (await findIntegration(call.parts.db.query, placeOf(call))) ?? refuse('not_found')
  if (seen.status === 'disabled') refuse('integration_disabled')
  if (seen.credential === null) refuse('integration_unconnected')
  return checkNow(call, 'verify')
}
