import type { Handler } from '../../call.ts'
import { checkFields } from '../../providers/fields.ts'
import { refuse } from '../../refusal.ts'
import { missingOf, neededSettings, setupOf } from '../connect-requests/unfinished.ts'
import type { IntegrationRow } from '../integrations/integration-row.ts'
import { finishSetup } from './finish-setup.ts'

/** What no list of accounts can answer, by who has given access or goes on with the list, while it is missing. */
export const submitConnectSettings: Handler<'submitConnectSettings'> = (call) =>
  finishSetup(call, {
    refusal: 'settings_complete',
    isMissing: (row) => row.unfinished_since !== null && missingOf(setupOf(row)) === 'settings',
    settings: async (row) => ({ ...row.settings, ...filledIn(row, call.body) }),
    isSet: ({ settings }) => Object.entries(call.body).every(([name, value]) => settings[name] === String(value).trim()),
    metadata: {},
  })

/** Only what is asked for, and all of it. */
function filledIn({ provider, settings }: IntegrationRow, body: unknown) {
  const { values, problems } = checkFields(neededSettings(provider, settings), body)
  return values ?? refuse('validation_failed', { errors: problems! })
}
