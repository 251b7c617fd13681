import type { Handler } from '../../call.ts'
import { readWorkspace } from './workspace-row.ts'

export const getWorkspace: Handler<'getWorkspace'> = ({ parts, organization, workspace }) =>
  readWorkspace(parts.db.query, organization.id, workspace)
