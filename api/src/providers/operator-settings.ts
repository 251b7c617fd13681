/** What an operator may set for an ad system: `ADJOIN_<PROVIDER>_<NAME>`. */
import type { Provider } from './provider.ts'
import { settingName } from './vendor-sessions.ts'

export interface OperatorSettingNames {
  /** The app: without all of these, it can't be connected. */
  readonly app: readonly string[]
  readonly optionalApp: readonly string[]
  /** What has a default that fits, for every system alike. */
  readonly common: readonly string[]
}

export function operatorSettings(provider: Provider): OperatorSettingNames {
  const named = (name: string) => settingName(provider, name)
  return {
    app: provider.app.map(named),
    optionalApp: (provider.optionalApp ?? []).map(named),
    common: ['dailyCalls', ...(provider.version ? ['version'] : []), ...Object.keys(provider.hosts).map((role) => `${role}Host`)].map(
      named,
    ),
  }
}
