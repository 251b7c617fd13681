import { exportAuditLogs } from './export-audit-logs.ts'
import { getAuditCheckpoint } from './get-audit-checkpoint.ts'
import { listAuditLogs } from './list-audit-logs.ts'

export const audit = { listAuditLogs, exportAuditLogs, getAuditCheckpoint }
