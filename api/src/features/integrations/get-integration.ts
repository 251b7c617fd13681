import type { Handler } from '../../call.ts'
import { placeOf, shown } from './integration-row.ts'

export const getIntegration: Handler<'getIntegration'> = (call) => shown(call.parts, call.parts.db.query, placeOf(call))
