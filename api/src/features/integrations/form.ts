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
    refuse('wrong_connect_method', { detail: 'This ad system has left the catalogue and can no longer be connected.' })
  if (provider.authMethod !== method)
    refuse('wrong_connect_method', {
      detail:
        method === 'oauth'
          ? `${provider.name} is connected by its credentials form.`
          : `${provider.name} is connected by its consent screen.`,
    })
  const { values, problems } = checkFields(provider.connectFields, input)
  return { provider, fields: values ?? refuse('validation_failed', { errors: problems! }) }
}

export const formFields = (providerId: string, input: unknown) => checkedConnectFields(providerId, 'credentials', input)
export const consentFields = (providerId: string, input: unknown) => checkedConnectFields(providerId, 'oauth', input)
