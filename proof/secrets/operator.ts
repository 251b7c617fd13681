// The operator's own apps at the ad systems, none of which can be reached:
// their secrets are in the configuration, and in no error.
import { createClient } from '@adjoin/contract'
import { providers } from '../../api/src/providers/index.ts'
import { settingName } from '../../api/src/providers/vendor-sessions.ts'
import { stories } from '../../api/test/provider-stories.ts'
import { tokenOf } from '../../furnishing/front-door.ts'
import type { CanaryLedger } from './canaries.ts'
import { isIntegration } from './integrations.ts'
import { type Admin, by, type SecretsScene } from './people.ts'

/** Nobody listens there. */
const NOWHERE = 'https://127.0.0.1:1'
const consenting = providers.filter(({ authMethod }) => authMethod === 'oauth')

export const operatorApps = (ledger: CanaryLedger): Record<string, string> =>
  Object.fromEntries(
    consenting.flatMap((provider) => [
      ...[...provider.app, ...(provider.optionalApp ?? [])].map((name) => [
        settingName(provider, name),
        /id$/i.test(name) ? 'operator' : ledger.make(`${name} of the operator at ${provider.id}`),
      ]),
      ...Object.keys(provider.hosts).map((role) => [settingName(provider, `${role}Host`), NOWHERE]),
    ]),
  )

/** Clients come back with a code that cannot be exchanged. */
export async function connectNowhere(scene: SecretsScene, { client }: Admin): Promise<void> {
  const { url, ledger, slug } = scene
  const w = { orgSlug: slug, workspaceSlug: 'client' }
  await Promise.all(
    consenting.map(async ({ id }) => {
      const made = await client.createIntegration(w, { provider: id, name: `${id}, out of reach` })
      const token = ledger.keep('a connect link', tokenOf(made.connectUrl), { shownIn: isIntegration })
      const { authorizationUrl } = await createClient({ url }).startConnectOAuth({ token }, { ...stories[id].fields('') })
      const state = ledger.keep('the state of a consent', new URL(authorizationUrl).searchParams.get('state'), {
        shownIn: by('startConnectOAuth'),
      })
      const code = ledger.make(`a code for ${id}, which cannot be reached`)
      await fetch(`${url}/v1/connect/oauth/callback?${new URLSearchParams({ state, code, auth_code: code })}`, { redirect: 'manual' })
      await client.getIntegration({ ...w, id: made.id })
    }),
  )
}
