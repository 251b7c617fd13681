import type { Client } from '@adjoin/contract/client'
import { expect, test } from 'vitest'
import { signUp } from '../scripts/furnish.ts'
import { expectAccessible } from './accessible.ts'
import { inBrowser } from './in-browser.ts'
import { visit } from './visit.ts'

const agency = { email: 'ada@engines.example', name: 'Ada Lovelace', organizationName: 'Engines', organizationSlug: 'engines' }
const globex = { orgSlug: 'engines', workspaceSlug: 'globex' }
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
const MAIL = 'grace@globex.example'

inBrowser((place) => {
  let client: Promise<Client> | undefined
  const ada = () => {
    client ??= signUp(place.service, agency).then(async ({ client }) => {
      await client.createWorkspace({ orgSlug: 'engines' }, { slug: 'globex', name: 'Globex' })
      return client
    })
    return client
  }
  const ask = async (items: Parameters<Client['createConnectRequest']>[1]['items'], more: object = {}) =>
    (await ada()).createConnectRequest(globex, { title: 'Spring launch', message: 'By Friday, please.', items, ...more })
  const statusOf = async (id: string) => (await (await ada()).getIntegration({ ...globex, id })).status

  test('a client works through a list on a phone, passes one on, resumes elsewhere, keeps a receipt and disconnects', async () => {
    const request = await ask([
      { provider: 'google_ads', name: 'Search', settings: { customerId: '1234567890' }, accessUntil: '2027-06-30' },
      { provider: 'xandr', name: 'Publisher seat' },
      { provider: 'microsoft_ads', settings: { customerId: '1234567890', accountId: '1234567890' } },
      { provider: 'criteo', optional: true },
    ])
    const [search, seat, microsoft] = request.items.map(({ integrationId }) => integrationId) as [string, string, string, string]
    const { page, faults, close } = await visit(place, { ...phone, permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto(request.connectUrl!)
    await page.getByRole('heading', { name: 'Connect your accounts to Engines' }).waitFor()
    await page.getByText('Ada Lovelace at Engines is asking you to connect the accounts below, to work on Globex.').waitFor()
    await page.getByText('By Friday, please.').waitFor()
    await page.getByText('0 of 4 done').waitFor()
    await expectAccessible(page)

    // The form fails first: a service that is away leaves even the secret where it was.
    await page.getByRole('link', { name: 'Connect Publisher seat' }).click()
    await page.getByLabel('Username').fill('outage-for-now')
    await page.getByLabel('Password', { exact: true }).fill('a-long-password')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText('is temporarily unavailable. Try again in a few minutes.').waitFor()
    await page.getByText('What you entered is still in the form.').waitFor()
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('a-long-password')
    await page.goBack()
    await page.getByText('0 of 4 done').waitFor()
    await page.goForward()
    await page.getByLabel('Username').fill('ada')
    await page.getByLabel('Password', { exact: true }).fill('a-long-password')
    await page.keyboard.press('Enter')
    await page.getByText('1 of 4 done').waitFor()
    await page.getByText('with the account Example Member (1234567890)').waitFor()
    await page.reload()
    await page.getByText('Connected · Example Member (1234567890)').waitFor()
    expect(await statusOf(seat)).toBe('active')

    // One is somebody else's, and one is not used.
    await page.getByRole('button', { name: /^Not mine · Microsoft/ }).click()
    const link = await page.getByLabel('Link to pass on').inputValue()
    await page.getByRole('button', { name: 'Copy' }).click()
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(link)
    await page.getByRole('button', { name: /^We don’t use this/ }).click()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Leave it out' }).click()
    await page.getByText('2 of 4 done').waitFor()
    expect(faults).toEqual([])
    await close()

    const colleague = await visit(place, phone)
    await colleague.page.goto(link)
    await colleague.page.getByRole('heading', { name: 'Connect Microsoft Advertising to Engines' }).waitFor()
    expect(await colleague.page.innerText('body')).not.toMatch(/Search|Publisher|Criteo|Spring/)
    await colleague.page.getByLabel('Sign-in type').selectOption('microsoft')
    await colleague.page.getByRole('button', { name: 'Continue to Microsoft Advertising' }).click()
    await colleague.page.getByRole('link', { name: 'Allow', exact: true }).click()
    await colleague.page.getByRole('heading', { name: 'Connected' }).waitFor()
    expect(await statusOf(microsoft)).toBe('active')
    expect(colleague.faults).toEqual([])
    await colleague.close()

    // Another device, in another language: what is done is done, and the rest goes on there.
    const desk = await visit(place, { locale: 'de-DE' })
    await desk.page.goto(request.connectUrl!)
    await desk.page.getByText('3 von 4 erledigt').waitFor()
    await desk.page.getByRole('link', { name: 'Search verbinden' }).click()
    await desk.page.getByText('Der Zugriff endet automatisch am 30. Juni 2027.').waitFor()
    await desk.page.getByRole('button', { name: 'Weiter zu Google Ads' }).click()
    await desk.page.getByRole('link', { name: 'Deny' }).click()
    await desk.page.getByText('Sie haben den Zugriff nicht erlaubt').waitFor()
    await desk.page.getByRole('link', { name: 'Erneut versuchen: Search' }).click()
    await desk.page.getByRole('button', { name: 'Weiter zu Google Ads' }).click()
    await desk.page.getByRole('link', { name: 'Allow', exact: true }).click()
    await desk.page.getByRole('heading', { name: 'Alles andere ist verbunden' }).waitFor()
    await expectAccessible(desk.page)
    expect((await (await ada()).getConnectRequest({ ...globex, requestId: request.id })).status).toBe('complete')

    await desk.page.getByRole('link', { name: 'Beleg öffnen' }).click()
    await desk.page.getByRole('heading', { name: 'Ihre Verbindung mit Engines' }).waitFor()
    await desk.page.getByText('Kampagnen, Budgets und Berichte in Google Ads ansehen und verwalten').waitFor()
    await expectAccessible(desk.page)
    await desk.page.getByRole('button', { name: 'Google Ads trennen' }).click()
    expect(await statusOf(search)).toBe('active')
    await desk.page.getByRole('button', { name: 'Ja, trennen' }).click()
    await desk.page.getByRole('heading', { name: 'Verbindung getrennt' }).waitFor()
    await expectAccessible(desk.page)
    expect(await (await ada()).getIntegration({ ...globex, id: search })).toMatchObject({
      status: 'error',
      statusReason: 'client_disconnected',
      mustAct: 'client',
    })
    expect(desk.faults).toEqual([])
    await desk.close()
  })

  test('the language of a request comes first, unless the client chooses another, which stays', async () => {
    const { connectUrl } = await ask([{ provider: 'xandr' }], { language: 'fr' })
    const { page, close } = await visit(place, phone)
    await page.goto(connectUrl!)
    await page.getByRole('heading', { name: 'Connecter vos comptes à Engines' }).waitFor()
    await expect.poll(() => page.evaluate('document.documentElement.lang')).toBe('fr')
    await page.getByLabel('Langue').focus()
    await page.getByLabel('Langue').selectOption('ja')
    await page.getByRole('heading', { name: 'アカウントをEnginesに接続' }).waitFor()
    await expect.poll(() => page.evaluate('[document.documentElement.lang, document.activeElement.tagName]')).toEqual(['ja', 'SELECT'])
    await page.reload()
    await page.getByRole('heading', { name: 'アカウントをEnginesに接続' }).waitFor()
    await close()
  })

  test('opening the page to stop emails changes nothing; its button does', async () => {
    const request = await ask([{ provider: 'magnite', settings: { accountId: '7' } }], { clientEmail: MAIL })
    const at = { ...globex, requestId: request.id }
    await (await ada()).sendConnectRequest(at)
    const [, stop] = /(\/connect\/stop\/\S+)/.exec((await place.service.mailTo(MAIL)).text)!
    const { page, faults, close } = await visit(place, phone)
    await page.goto(stop!)
    await page.getByRole('heading', { name: 'Stop these emails?' }).waitFor()
    await expectAccessible(page)
    expect((await (await ada()).getConnectRequest(at)).mailsStopped).toBe(false)
    await page.getByRole('button', { name: 'Stop emails' }).click()
    await page.getByText('You won’t get any more emails about connecting accounts from Engines.').waitFor()
    expect((await (await ada()).getConnectRequest(at)).mailsStopped).toBe(true)
    expect(faults).toEqual([])
    await close()
  })
})
