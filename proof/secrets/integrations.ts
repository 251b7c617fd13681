// All ad systems: connected, refused, repeated, mistyped, and by a vendor that repeats what it hears.
import { randomUUID } from 'node:crypto'
import { createClient, type ProviderId } from '@adjoin/contract'
import type { HeardExchange } from '../../api/test/answers.ts'
import { stories } from '../../api/test/provider-stories.ts'
import { tokenOf } from '../../furnishing/front-door.ts'
import { callEchoing } from './echoes.ts'
import { type Admin, by, PUBLIC, type SecretsScene } from './people.ts'

/** Whoever sees an integration may read its connect link: that is in the contract, and named as a risk. */
export const isIntegration = ({ operation, status }: HeardExchange) =>
  status < 300 && /^(create|get|update|verify|enable|disable|submit)Integration|^listIntegrations$|^issueConnectLink$/.test(operation ?? '')

const AT_ONCE = 5

/** What came of an ad system: connected at some time, and called while it repeated its credentials. */
interface Connected {
  readonly connected: boolean
  readonly echoed: boolean
}

/** How many of them. */
export async function connectAll(scene: SecretsScene, admin: Admin): Promise<{ connected: number; echoed: number }> {
  const { providers } = await admin.client.listProviders()
  const connect = ({ provider, authMethod }: (typeof providers)[number]) =>
    (authMethod === 'oauth' ? connectByConsent : connectByForm)(scene, admin, provider)
  const all: Connected[] = []
  // Some at once: most of the time is spent waiting for vendors that stumble.
  for (let from = 0; from < providers.length; from += AT_ONCE)
    all.push(...(await Promise.all(providers.slice(from, from + AT_ONCE).map(connect))))
  return { connected: all.filter(({ connected }) => connected).length, echoed: all.filter(({ echoed }) => echoed).length }
}

async function create({ ledger, slug }: SecretsScene, { client }: Admin, provider: ProviderId) {
  const w = { orgSlug: slug, workspaceSlug: 'client' }
  const made = await client.createIntegration(w, { provider, name: provider, settings: { ...stories[provider].settings } })
  const token = ledger.keep('a connect link', tokenOf(made.connectUrl), { shownIn: isIntegration })
  return { at: { ...w, id: made.id }, token }
}

async function connectByForm(scene: SecretsScene, admin: Admin, provider: ProviderId): Promise<Connected> {
  const { ledger, url } = scene
  const { client } = admin
  const { at, token } = await create(scene, admin, provider)
  const anyone = createClient({ url })
  const form = (word = '') => {
    const secret = ledger.make(`a secret typed into the form of ${provider}${word && `, to ${word}`}`, word)
    const values = { ...stories[provider].fields(secret) }
    // A login of each round's own: vendors count them.
    if (values.username) values.username = `${scene.slug}-${values.username}`
    return values
  }
  const quiet = (promise: Promise<unknown>) => promise.catch(() => {})
  await anyone.getConnectLink({ token })
  await quiet(anyone.submitConnectCredentials({ token }, form('refuse')))
  await quiet(anyone.submitConnectCredentials({ token }, form('echo')))
  await quiet(anyone.submitConnectCredentials({ token }, wrapped(form())))
  await quiet(anyone.submitConnectCredentials({ token }, { ...form(), unknown: ledger.make('a secret in an unknown field') }))
  await quiet(anyone.submitConnectCredentials({ token }, form()))
  const [values, idempotencyKey] = [form(), randomUUID()]
  const { status } = await client.submitIntegrationCredentials(at, values, { idempotencyKey })
  await client.submitIntegrationCredentials(at, values, { idempotencyKey })
  await quiet(client.submitIntegrationCredentials(at, form(), { idempotencyKey }))
  const echoed = await callEchoing(admin, provider, at)
  await quiet(client.verifyIntegration(at))
  await quiet(client.submitIntegrationCredentials(at, form('garble')))
  await quiet(client.submitIntegrationCredentials(at, form('echo')))
  await client.getIntegration(at)
  await client.listIntegrationChecks(at)
  await client.updateIntegration(at, { name: `${provider}, renamed` })
  return { connected: status === 'active', echoed }
}

/** Secrets where text was asked for, as lists. */
const wrapped = (values: Record<string, string>) => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value]]))

async function connectByConsent(scene: SecretsScene, admin: Admin, provider: ProviderId): Promise<Connected> {
  const { client } = admin
  const { at, token } = await create(scene, admin, provider)
  await visit(scene, provider, token, 'deny')
  await visit(scene, provider, token, 'outage')
  await visit(scene, provider, token, 'allow')
  const { status } = await client.getIntegration(at)
  const echoed = await callEchoing(admin, provider, at)
  await client.verifyIntegration(at).catch(() => {})
  const again = await client.issueConnectLink(at, {})
  await visit(scene, provider, scene.ledger.keep('a connect link', tokenOf(again.connectUrl), { shownIn: isIntegration }), 'refuse')
  await client.getIntegration(at)
  await client.listIntegrationChecks(at)
  return { connected: status === 'active', echoed }
}

/** The client's browser, to the consent page and back; then once more with what has been used. */
export async function visit({ url, ledger }: SecretsScene, provider: ProviderId, token: string, decision: string): Promise<void> {
  const anyone = createClient({ url })
  const { authorizationUrl } = await anyone.startConnectOAuth({ token }, { ...stories[provider].fields('') })
  ledger.keep('the state of a consent', new URL(authorizationUrl).searchParams.get('state'), { shownIn: by('startConnectOAuth') })
  const there = await fetch(`${authorizationUrl}&decision=${decision}`, { redirect: 'manual' })
  const back = there.headers.get('location')!
  const { searchParams } = new URL(back)
  const code = searchParams.get('code') ?? searchParams.get('auth_code')
  if (code) ledger.keep(`code of ${provider}`, code)
  for (let times = 0; times < 2; times++) await fetch(back.replace(PUBLIC, url), { redirect: 'manual' })
}
