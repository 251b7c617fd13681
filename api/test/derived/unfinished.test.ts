// Half-finished is not connected: access that was given without all that it takes, at every ad system, and every way it is finished.
import type { ProviderId } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { remindClients } from '../../src/features/connect-requests/remind.ts'
import { accountChoice } from '../../src/providers/accounts/settings.ts'
import { missingFields } from '../../src/providers/fields.ts'
import { providers } from '../../src/providers/index.ts'
import { stories } from '../provider-stories.ts'
import { inTurns } from '../sampled.ts'
import { createSuite, newcomer, PUBLIC, type Suite, type Tenant, tokenOf } from '../suite.ts'
import { newAddress, refusal, request, sql } from '../world.ts'

let suite: Suite
beforeAll(async () => {
  suite = await createSuite()
})
afterAll(() => suite.stop())

const anyone = () => suite.world.client({ 'x-forwarded-for': newAddress() })
const providerOf = (id: ProviderId) => providers.find((each) => each.id === id)!
type Asked = Awaited<ReturnType<typeof asked>>

async function asked(provider: ProviderId, { settings = {}, tenant }: { settings?: object; tenant?: Tenant } = {}) {
  const at = tenant ?? (await suite.tenant())
  const clientEmail = newcomer()
  const items = [{ provider, settings: settings as Record<string, string> }]
  const made = await at.admin.createConnectRequest(at.w, { title: 'Your ad accounts', clientEmail, items })
  await at.admin.sendConnectRequest({ ...at.w, requestId: made.id })
  const { id: itemId, integrationId } = made.items[0]!
  const token = tokenOf(made.connectUrl!)
  const place = { ...at.w, id: integrationId }
  return { tenant: at, provider, clientEmail, token, item: { token, itemId }, at: { ...at.w, requestId: made.id }, integrationId, place }
}

/** What the client does: the form, or the consent screen of the simulator and back. Answers with the result. */
async function giveAccess({ provider, item }: Asked, word = 'plausible'): Promise<string> {
  const fields = stories[provider].fields(word) as Record<string, string>
  if (providerOf(provider).authMethod === 'credentials') return (await anyone().submitConnectItemCredentials(item, fields)).result
  const { authorizationUrl } = await anyone().startConnectItemOAuth(item, fields)
  const there = await fetch(`${authorizationUrl}&decision=allow`, { redirect: 'manual' })
  const { headers } = await request(there.headers.get('location')!.replace(PUBLIC, suite.world.url))
  return headers.get('location')!.split('#result=')[1]!
}

const page = async ({ token }: Asked) => (await anyone().getPublicConnectRequest({ token })).request!.items[0]!
const state = async ({ tenant, at }: Asked) => tenant.admin.getConnectRequest(at)
const subjects = async ({ clientEmail }: Asked) => (await suite.world.mails(clientEmail)).map(({ subject }) => subject)
const receiptOf = async (result: string) => {
  const { receiptUrl } = await anyone().getConnectResult({ result })
  return anyone().getReceipt({ token: tokenOf(receiptUrl!) })
}

async function expectDone(walk: Asked, result: string): Promise<void> {
  expect(await state(walk)).toMatchObject({
    status: 'complete',
    completedAt: expect.any(String),
    items: [{ status: 'connected', missing: null, reason: null, completedAt: expect.any(String) }],
  })
  expect(await anyone().getPublicConnectRequest({ token: walk.token })).toMatchObject({ state: 'complete' })
  expect(await receiptOf(result)).toMatchObject({ state: 'connected', unfinished: false })
  await expect.poll(() => subjects(walk)).toContain('Your ad accounts are connected to Agency')
}

const isHalf = (id: ProviderId) => missingFields(providerOf(id).settingsFields, {}).length > 0
const half = providers.map(({ id }) => id).filter(isHalf)
const whole = providers.map(({ id }) => id).filter((id) => !isHalf(id))

/** Who adds what is missing, and how. */
const finishes: Record<string, (walk: Asked) => Promise<unknown>> = {
  client: async (walk) => {
    const { result, missing } = await page(walk)
    if (missing === 'settings') return anyone().submitConnectSettings({ result: result! }, settingsOf(walk.provider))
    await expect.poll(() => anyone().listConnectAccounts({ result: result! })).toMatchObject({ listing: false })
    const wanted = Object.values(settingsOf(walk.provider))
    const { accounts } = await anyone().listConnectAccounts({ result: result! })
    const accountId = (accounts.find(({ id }) => wanted.includes(id)) ?? accounts[0])!.id
    return anyone().chooseConnectAccount({ result: result! }, { accountId })
  },
  agency: ({ tenant, place, provider }) => tenant.admin.updateIntegration(place, { settings: settingsOf(provider) }),
  job: async (walk) => {
    const { provider, integrationId } = walk
    await suite.world.query(sql`update integrations set settings = ${JSON.stringify(settingsOf(provider))}, check_due_at = now(), leased_until = null
      where id = ${integrationId}`)
    await expect.poll(async () => (await state(walk)).status).toBe('complete')
  },
}
const settingsOf = (id: ProviderId) => stories[id].settings as Record<string, string>

it('what every ad system needs besides access is known', () => {
  expect([half.length, whole.length]).toEqual([14, 6])
})

describe.each(inTurns(half, 5))('%s without its settings', (id) => {
  it('is unfinished after access was given, says what is missing, and the link stays open for that alone', async () => {
    const walk = await asked(id)
    const result = await giveAccess(walk)
    const missing = accountChoice(providerOf(id), {}) ? 'account' : 'settings'
    expect(await state(walk)).toMatchObject({
      status: 'partial',
      completedAt: null,
      items: [{ status: 'unfinished', missing, reason: 'setting_missing', completedAt: null }],
    })
    expect(await anyone().getPublicConnectRequest({ token: walk.token })).toMatchObject({
      state: 'ready',
      request: { items: [{ status: 'unfinished', missing, connectedAt: null, reconnects: false, result: expect.any(String) }] },
    })
    expect(await anyone().getConnectResult({ result })).toMatchObject({ missing, choosesAccount: missing === 'account' })
    expect(await receiptOf(result)).toMatchObject({ unfinished: true })
    expect((await walk.tenant.admin.getIntegration(walk.place)).status).toBe('error')
    for (const act of [() => anyone().passOnConnectItem(walk.item), () => anyone().declineConnectItem(walk.item), () => giveAccess(walk)])
      expect(await refusal(act())).toMatchObject({ status: 409, code: 'item_closed' })
    expect(await subjects(walk)).toEqual(['Agency is asking you to connect your ad accounts'])
  })

  it.each(Object.keys(finishes))('is connected once the %s has added it', async (who) => {
    const walk = await asked(id)
    const result = await giveAccess(walk)
    await finishes[who]!(walk)
    await expectDone(walk, result)
  })
})

it.each(inTurns(whole, 3))('%s, which needs nothing else, is connected at once', async (id) => {
  const walk = await asked(id)
  await expectDone(walk, await giveAccess(walk))
})

it.each(inTurns(half, 5, 2))('%s whose settings the agency named is connected at once', async (id) => {
  const walk = await asked(id, { settings: settingsOf(id) })
  await expectDone(walk, await giveAccess(walk))
})

describe('a verification that fails', () => {
  it.each(inTurns(half, 5, 3).filter((id) => stories[id].foreign))(
    'keeps %s unfinished when the agency names another account',
    async (id) => {
      const walk = await asked(id)
      await giveAccess(walk)
      const { settings, reason } = stories[id].foreign!
      await walk.tenant.admin.updateIntegration(walk.place, { settings: settings as Record<string, string> })
      expect(await state(walk)).toMatchObject({ status: 'partial', items: [{ status: 'unfinished', missing: 'verification', reason }] })
      await finishes.agency!(walk)
      expect(await state(walk)).toMatchObject({ status: 'complete' })
    },
  )

  it('keeps it unfinished, and asks again, when the client fills in what does not work', async () => {
    const walk = await asked('magnite')
    const result = await giveAccess(walk)
    for (const accountId of ['42', '43'])
      expect(await anyone().submitConnectSettings({ result }, { accountId })).toMatchObject({ reason: 'account_unreachable' })
    expect(await page(walk)).toMatchObject({ status: 'unfinished', missing: 'settings', reason: 'account_unreachable' })
    await finishes.client!(walk)
    await expectDone(walk, result)
  })

  it('lets the client give access again where nothing else helps, once', async () => {
    const walk = await asked('magnite')
    const result = await giveAccess(walk, 'refuse')
    expect(await page(walk)).toMatchObject({ status: 'unfinished', missing: 'settings', reconnects: false })
    expect(await anyone().submitConnectSettings({ result }, settingsOf('magnite'))).toMatchObject({ reason: 'login_refused' })
    expect(await page(walk)).toMatchObject({ reconnects: true, reason: 'login_refused', mustAct: 'client' })
    const answers = await Promise.allSettled(Array.from({ length: 20 }, () => giveAccess(walk)))
    const won = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    expect(won).toHaveLength(1)
    expect(await page(walk)).toMatchObject({ status: 'unfinished', reconnects: false })
    await finishes.client!(walk)
    await expectDone(walk, won[0]!)
  })

  it('by the agency’s settings, whose login is then refused, asks the client for access', async () => {
    const walk = await asked('magnite')
    await giveAccess(walk, 'refuse')
    await finishes.agency!(walk)
    expect(await state(walk)).toMatchObject({ status: 'partial', items: [{ missing: 'access', mustAct: 'client' }] })
    expect(await page(walk)).toMatchObject({ status: 'unfinished', missing: 'access', reconnects: true, result: null })
    await expectDone(walk, await giveAccess(walk))
  })
})

describe('what is unfinished', () => {
  it('is mailed about while its client can act, and not otherwise', async () => {
    const walk = await asked('magnite')
    await giveAccess(walk)
    const remind = async () =>
      (await walk.tenant.admin.bulkIntegrations(walk.tenant.o, { action: 'remind', ids: [walk.integrationId] })).results
    expect(await remind()).toMatchObject([{ outcome: 'done' }])
    await expect.poll(() => subjects(walk)).toHaveLength(2)
    const [mail] = (await suite.world.mails(walk.clientEmail)).filter(({ subject }) => subject.startsWith('Reminder'))
    expect(mail!.text).toContain('One more step is missing before Agency can use them')
    expect(mail!.text).not.toContain('not connected yet')
    await walk.tenant.admin.updateIntegration(walk.place, { settings: stories.magnite.foreign!.settings as Record<string, string> })
    expect(await remind()).toMatchObject([{ outcome: 'refused', code: 'request_missing' }])
    expect(await refusal(walk.tenant.admin.sendConnectRequest(walk.at))).toMatchObject({ status: 409, code: 'client_done' })
    const [{ before }] = (await suite.world.query<{ before: Date }>(sql`select now() as before`)) as [{ before: Date }]
    const { connectUrl } = await walk.tenant.admin.renewConnectRequest(walk.at, {})
    const queued = sql`select from jobs where kind = 'mail.send' and share = ${walk.tenant.organization.id} and created_at >= ${before}`
    expect(await suite.world.query(queued)).toEqual([])
    expect((await suite.world.mails(walk.clientEmail)).filter(({ text }) => text.includes(connectUrl!))).toEqual([])
  })

  it('is told apart in the last email, when the link has expired', async () => {
    const walk = await asked('magnite')
    await giveAccess(walk)
    await suite.world.query(
      sql`update connect_requests set remind_step = 4, remind_at = now(), expires_at = now() where id = ${walk.at.requestId}`,
    )
    await remindClients(suite.world.app.parts)
    await expect.poll(() => subjects(walk)).toContain('The setup with Agency is not finished yet')
    expect(await subjects(walk)).not.toContain('Your ad accounts are connected to Agency')
  })

  it('belongs to its request, until that is canceled', async () => {
    const walk = await asked('magnite')
    await giveAccess(walk)
    const again = { title: 'Again', items: [{ integrationId: walk.integrationId }] }
    expect(await refusal(walk.tenant.admin.createConnectRequest(walk.tenant.w, again))).toMatchObject({ code: 'request_open' })
    expect(await walk.tenant.admin.getIntegration(walk.place)).toMatchObject({ connectRequestId: walk.at.requestId })
    const { result } = await page(walk)
    await walk.tenant.admin.cancelConnectRequest(walk.at)
    expect(await refusal(anyone().submitConnectSettings({ result: result! }, settingsOf('magnite')))).toMatchObject({ status: 404 })
    expect(await refusal(anyone().getConnectResult({ result: result! }))).toMatchObject({ status: 404 })
    expect((await walk.tenant.admin.createConnectRequest(walk.tenant.w, again)).status).toBe('open')
  })

  it('and disconnected by its client asks for access again', async () => {
    const walk = await asked('magnite')
    const { receiptUrl } = await anyone().getConnectResult({ result: await giveAccess(walk) })
    await anyone().disconnectByReceipt({ token: tokenOf(receiptUrl!) })
    expect(await state(walk)).toMatchObject({ items: [{ status: 'failed', reason: 'client_disconnected', missing: null }] })
    await giveAccess(walk)
    expect(await page(walk)).toMatchObject({ status: 'unfinished', missing: 'settings' })
  })

  it('is not the task of the client while the integration is disabled', async () => {
    const walk = await asked('magnite')
    await giveAccess(walk)
    await walk.tenant.admin.disableIntegration(walk.place)
    expect((await anyone().getPublicConnectRequest({ token: walk.token })).request!.items).toEqual([])
    expect(await state(walk)).toMatchObject({ status: 'partial', items: [{ status: 'unfinished', missing: 'settings' }] })
  })

  it('and finished leaves the integration to the request that asks for it meanwhile', async () => {
    const first = await asked('magnite')
    await giveAccess(first)
    await suite.world.query(sql`update connect_requests set expires_at = now() where id = ${first.at.requestId}`)
    await suite.world.query(sql`update integrations set requested_until = now() where id = ${first.integrationId}`)
    const again = { title: 'Again', items: [{ integrationId: first.integrationId }] }
    await first.tenant.admin.createConnectRequest(first.tenant.w, again)
    await finishes.agency!(first)
    expect((await first.tenant.admin.getIntegration(first.place)).status).toBe('active')
    expect(await refusal(first.tenant.admin.createConnectRequest(first.tenant.w, again))).toMatchObject({ code: 'request_open' })
  })

  it('makes nothing of an earlier request that is complete', async () => {
    const first = await asked('magnite', { settings: settingsOf('magnite') })
    await giveAccess(first)
    await suite.world.query(sql`update integrations set settings = '{}' where id = ${first.integrationId}`)
    const items = [{ integrationId: first.integrationId }]
    const second = await first.tenant.admin.createConnectRequest(first.tenant.w, { title: 'Again', items })
    const item = { token: tokenOf(second.connectUrl!), itemId: second.items[0]!.id }
    await giveAccess({ ...first, item })
    expect(await first.tenant.admin.getConnectRequest({ ...first.tenant.w, requestId: second.id })).toMatchObject({
      items: [{ status: 'unfinished' }],
    })
    expect(await state(first)).toMatchObject({ status: 'complete', items: [{ status: 'connected' }] })
  })

  it('shows a stranger who holds the list no receipt, no other connection and no way back', async () => {
    const walk = await asked('google_ads')
    await giveAccess(walk)
    const { result } = await page(walk)
    expect(await anyone().getConnectResult({ result: result! })).toMatchObject({
      receiptUrl: null,
      others: [],
      returnUrl: null,
      missing: 'account',
    })
    expect(await refusal(anyone().renewWithSameLogin({ result: result! }, { integrationIds: [walk.integrationId] }))).toMatchObject({
      status: 404,
    })
    expect(await anyone().takeConnectReturn({ result: result! })).toEqual({ returnUrl: null })
  })

  it('takes only the settings that are missing, all of them, and the same again once', async () => {
    const walk = await asked('pubmatic')
    const result = await giveAccess(walk)
    const offered = (await anyone().getConnectResult({ result })).missingSettings.map(({ name }) => name)
    expect(offered).toEqual(['accountId', 'accountType'])
    for (const body of [{}, { accountId: 'not a number' }, { nonsense: '1', accountId: '1234567890' }])
      expect(await refusal(anyone().submitConnectSettings({ result }, body as Record<string, string>))).toMatchObject({ status: 400 })
    const settings = settingsOf('pubmatic')
    const done = await anyone().submitConnectSettings({ result }, settings)
    expect(done).toMatchObject({ reason: null })
    expect(await anyone().submitConnectSettings({ result }, settings)).toEqual(done)
    expect(await refusal(anyone().submitConnectSettings({ result }, { accountId: '1' }))).toMatchObject({ code: 'settings_complete' })
  })
})

it('the agency is written to that a setting is missing, not that it is connected, also where it had stopped working', async () => {
  const tenant = await suite.tenant()
  const { id, connectUrl } = await tenant.admin.createIntegration(tenant.w, { provider: 'magnite', name: 'Sellers' })
  await suite.world.query(sql`update integrations set status = 'error', status_reason = 'login_refused' where id = ${id}`)
  await anyone().submitConnectCredentials({ token: tokenOf(connectUrl) }, stories.magnite.fields('plausible') as Record<string, string>)
  await suite.world.query(sql`update jobs set run_at = now() where share = ${tenant.organization.id}`)
  const told = async () => (await suite.world.mails(tenant.organization.admin.email)).map(({ subject }) => subject)
  await expect.poll(async () => (await told()).filter((subject) => subject.startsWith('Sellers')).length).toBe(1)
  expect((await told()).join()).not.toContain('is connected')
})
