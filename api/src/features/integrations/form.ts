import { checkFields } from '../../providers/fields.ts'
import { findProvider } from '../../providers/index.ts'
import type { FieldValues, Provider } from '../../providers/provider.ts'
import { refuse } from '../../refusal.ts'

/** What was entered, tidied and checked, for a provider that is connected this way. */
function checkedConnectFields(
  providerId: string,
  method: Provider['authMethod'],
  input: unknown,
): { provider: Provider; fields: FieldValues } {
  const provider =
    findProvider(providerId) ??
    refuse('wrong_connect_method', { detail: 'This ad system is no longer supported, so it can’t be connected. Choose another one.' })
  if (provider.authMethod !== method)
    refuse('wrong_connect_method', {
      detail:
        method === 'oauth'
          ? `${provider.name} connects with a credentials form. Submit its fields to \`/credentials\` instead.`
          : `${provider.name} connects through its consent screen. Open the connect link instead.`,
    })
  const { values, problems } = checkFields(provider.connectFields, input)
  return { provider, fields: values ?? refuse('validation_failed', { errors: problems! }) }
}

export const formFields = (providerId: string, input: unknown) => checkedConnectFields(providerId, 'credentials', input)
export const consentFields = (providerId: string, input: unknown) => checkedConnectFields(providerId, 'oauth', input)
