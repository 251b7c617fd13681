import { transact } from '../../audit/transact.ts'
import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { refuse } from '../../refusal.ts'
import { findIntegration, integrationRef, readIntegration } from '../integrations/integration-row.ts'
import { aboutIntegration } from '../integrations/snapshot.ts'
import { checkedAccounts } from './call-policy.ts'

export const setIntegrationCallPolicy: Handler<'setIntegrationCallPolicy'> = (call) =>
  transact(call, async (query, record) => {
    const at = integrationRef(call)
    const row = (await findIntegration(query, at, 'lock')) ?? refuse('not_found')
    const { mode } = call.body
    const accounts = checkedAccounts(row.provider, call.body.accounts)
    const changes = [
      { field: 'callPolicy.mode', from: row.call_mode, to: mode },
      { field: 'callPolicy.accounts', from: row.call_accounts, to: accounts },
    ].filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to))
    if (changes.length) {
      await query(sql`update integrations set call_mode = ${mode}, call_accounts = ${accounts}, updated_at = now()
        where organization_id = ${row.organization_id} and id = ${row.id}`)
      record('integration.call_policy_changed', { ...aboutIntegration(row), changes })
    }
    return readIntegration(call.parts, query, at)
  })
