import { RETURN_URL_RULE } from '@adjoin/contract/integration-fields'
import { acceptableReturnUrl } from '@adjoin/contract/trusted-url'
import type { Call } from '../../call.ts'
import { checkFields } from '../../providers/fields.ts'
import type { FieldValues, Provider } from '../../providers/provider.ts'
import { refuse, refuseField } from '../../refusal.ts'

/** What is sent is validated; what is required may still come later. */
export function checkedSettings(provider: Provider, settings: unknown, prefix = 'settings.'): FieldValues {
  const { values, problems } = checkFields(provider.settingsFields, settings, { prefix, partial: true })
  return values ?? refuse('validation_failed', { errors: problems! })
}

/** The schema has judged it already, but for what depends on where it runs. */
export function checkedReturnUrl(call: Pick<Call, 'parts'>, text: string): string {
  const url = acceptableReturnUrl(text, call.parts.config.environment !== 'production')
  return url ?? refuseField('returnUrl', RETURN_URL_RULE)
}
