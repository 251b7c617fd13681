import type { Handler } from '../../call.ts'
import { refuse } from '../../refusal.ts'
import { findIntegration, placeOf, toIntegration } from './integration-row.ts'

export const getIntegration: Handler<'getIntegration'> = async (call) => {
  const row = await findIntegration(call.parts.db.query, placeOf(call))
  return row ? toIntegration(call.parts, row) : refuse('not_found')
}
