import { exportAuditLogs } from './export-audit-logs.ts'
import { getAuditCheckpoint } from './get-audit-checkpoint.ts'
import { listAuditLogs } from './list-audit-logs.ts'
import { listEvents, listWorkspaceEvents } from './list-events.ts'

export const audit = { listAuditLogs, exportAuditLogs, getAuditCheckpoint, listEvents, listWorkspaceEvents }
