import { listAuditLogs } from './list-audit-logs.ts'

export const audit = { listAuditLogs }
