import type { Call } from '../../call.ts'
import { acceptableReturnUrl } from '../../domain/integration.ts'
import { checkFields } from '../../providers/fields.ts'
import type { FieldValues, Provider } from '../../providers/provider.ts'
import { refuse, refuseField } from '../../refusal.ts'

/** What is sent is validated; what is required may still come later. */
export function checkedSettings(provider: Provider, settings: unknown, prefix = 'settings.'): FieldValues {
  const { values, problems } = checkFields(provider.settingsFields, settings, { prefix, partial: true })
  return values ?? refuse('validation_failed', { errors: problems! })
}

export function checkedReturnUrl(call: Pick<Call, 'parts'>, text: string): string {
  const url = acceptableReturnUrl(text, call.parts.config.environment !== 'production')
  return url ?? refuseField('returnUrl', 'must be an https URL without a user name (http only on localhost in development)')
}
