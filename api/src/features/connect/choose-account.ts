import { settingsFor } from '@adjoin/contract'
import type { Call, Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import type { AccountChoice } from '../../providers/accounts/settings.ts'
import { findProvider } from '../../providers/index.ts'
import type { FieldValues } from '../../providers/provider.ts'
import { refuseField } from '../../refusal.ts'
import { checkedSettings } from '../integrations/checked-input.ts'
import type { IntegrationRow } from '../integrations/integration-row.ts'
import { choiceOf, offered } from './account-choice.ts'
import { finishSetup } from './finish-setup.ts'

type Choosing = Call<'chooseConnectAccount'>

/** By who has given access or goes on with the list, while nothing but the account is missing. */
export const chooseConnectAccount: Handler<'chooseConnectAccount'> = (call) =>
  finishSetup(call, {
    refusal: 'account_chosen',
    isMissing: (row) => choiceOf(row) !== null,
    settings: (row) => settingsWith(call, row, choiceOf(row)!),
    isSet: (row) => Object.values(row.settings).includes(call.body.accountId),
    metadata: { account: call.body.accountId },
  })

/** What the account gives, for an account that was offered. */
async function settingsWith({ parts: { db }, body }: Choosing, row: IntegrationRow, choice: AccountChoice): Promise<FieldValues> {
  const [picked] = await db.query<{ id: string }>(
    sql`select a.id from integration_accounts a where ${await offered(db.query, row, choice)} and a.id = ${body.accountId}`,
  )
  if (!picked) return refuseField('accountId', 'must be one of the listed accounts')
  const accounts = await db.query<{ id: string; kind: string; parentId: string | null }>(sql`select id, kind, parent_id as "parentId"
    from integration_accounts where organization_id = ${row.organization_id} and integration_id = ${row.id}`)
  const account = accounts.find(({ id, kind }) => id === picked.id && kind === choice.first.kind)!
  const given = settingsFor(accounts, account, choice.first, choice.others)
  return { ...row.settings, ...checkedSettings(findProvider(row.provider)!, given) }
}
