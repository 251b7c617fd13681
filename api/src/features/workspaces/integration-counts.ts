import type { Answer } from '@adjoin/contract'
import { type Fragment, sql } from '../../db/sql.ts'

export type IntegrationCounts = Answer<'getWorkspace'>['integrationCounts']

/**
 * How many integrations of each status a workspace `w` holds:
 * a status without any is left out, and null stands for none at all.
 */
export const countsColumn = (
  organizationId: string,
): Fragment => sql`(select json_object_agg(status, count) from (select status, count(*) from integrations i
  where i.organization_id = ${organizationId} and i.workspace_id = w.id group by status) as by_status) as counts`

export interface CountsRow {
  counts: Partial<IntegrationCounts> | null
}

export const toCounts = ({ counts }: CountsRow): IntegrationCounts => ({ pending: 0, active: 0, error: 0, disabled: 0, ...counts })
