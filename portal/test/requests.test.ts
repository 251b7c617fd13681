import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { signIn, signUp } from '../scripts/furnish.ts'
import { inBrowser } from './in-browser.ts'
import { expectAccessible, visit } from './visit.ts'

const agency = { email: 'ada@engines.example', name: 'Ada', organizationName: 'Engines', organizationSlug: 'engines' }
const globex = { orgSlug: 'engines', workspaceSlug: 'globex' }
const home = '/organizations/engines/workspaces/globex'
const MAIL = 'hank@globex.example'
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

const addSystem = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'Add ad system' }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}
const checklist = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Checklist' }).getByRole('listitem').filter({ hasText: name })

inBrowser((place) => {
  test('a request is put together, survives a reload, is copied, worked on by the client, and shows how far they are', async () => {
    const { token, client } = await signUp(place.service, agency)
    await client.createWorkspace({ orgSlug: 'engines' }, { slug: 'globex', name: 'Globex' })
    const { page, faults, close } = await visit(place, { token, permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto(home)
    await page.getByRole('navigation', { name: 'Globex' }).getByRole('link', { name: 'Requests' }).click()
    await page.getByText('No requests yet').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'New request' }).click()

    await page.getByText('Add what your client should connect first.').waitFor()
    await addSystem(page, 'Google Ads')
    await addSystem(page, 'Criteo')
    await addSystem(page, 'Microsoft Monetize (Xandr)')
    await page.getByRole('button', { name: 'Remove Criteo' }).click()
    await page.getByLabel('Customer ID', { exact: true }).fill('12')
    await page.getByLabel('Title').fill('Your ad accounts')
    await page.getByLabel('Message').fill('See www.engines.example')
    await page.getByText('More options').last().click()
    await page.getByLabel('Name', { exact: true }).last().fill('Publisher seat')
    await page.reload()
    await page.getByText('We kept what you typed').waitFor()
    expect(await page.getByLabel('Customer ID', { exact: true }).inputValue()).toBe('12')
    expect(await page.getByRole('list', { name: 'What to connect' }).getByRole('heading').allInnerTexts()).toEqual([
      'Google Ads',
      'Microsoft Monetize (Xandr)',
    ])
    await expectAccessible(page)

    const create = page.getByRole('button', { name: 'Create request' })
    await create.click()
    await page.getByText('This must not contain links or addresses.').waitFor()
    await page.getByLabel('Message').fill('By Friday, please.')
    await create.click()
    await page.getByText('Customer ID is not in the right format').waitFor()
    expect(await page.evaluate('document.activeElement.name')).toBe('items.0.settings.customerId')
    expect(faults.splice(0), 'the browser itself notes the refusals').toHaveLength(2)
    await page.getByLabel('Customer ID', { exact: true }).fill('123-456-7890')
    await create.click()

    await page.getByRole('heading', { name: 'Your ad accounts' }).waitFor()
    await page.getByText('0 of 2 connected').waitFor()
    await page.getByText('Not emailed. Copy the link and send it to your client.').waitFor()
    const link = await page.getByTestId('link').innerText()
    await page.getByRole('button', { name: 'Copy link' }).click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(link)
    await expectAccessible(page)

    const theirs = await visit(place, phone)
    await theirs.page.goto(link)
    await theirs.page.getByText('By Friday, please.').waitFor()
    await theirs.page.getByRole('link', { name: 'Connect Google Ads' }).click()
    await theirs.page.getByRole('button', { name: 'Continue to Google Ads' }).click()
    await theirs.page.getByRole('link', { name: 'Deny' }).click()
    await theirs.page.getByRole('link', { name: 'Connect Publisher seat' }).click()
    await theirs.page.getByLabel('Username').fill('hank')
    await theirs.page.getByLabel('Password', { exact: true }).fill('a-long-password')
    await theirs.page.keyboard.press('Enter')
    await theirs.page.getByText('1 of 2 done').waitFor()

    await page.reload()
    await page.getByText('1 of 2 connected').waitFor()
    await checklist(page, 'Google Ads').getByText('Didn’t allow access').waitFor()
    await checklist(page, 'Google Ads').getByText('Your client read: “Access was not allowed at Google Ads.').waitFor()
    await checklist(page, 'Publisher seat').getByText('Example Member (1234567890)').waitFor()
    await expectAccessible(page)

    await page.clock.install()
    await theirs.page.getByRole('link', { name: 'Try Google Ads again' }).click()
    await theirs.page.getByRole('button', { name: 'Continue to Google Ads' }).click()
    await theirs.page.getByRole('link', { name: 'Allow', exact: true }).click()
    await theirs.page.getByRole('heading', { name: 'Everything is connected' }).waitFor()
    await page.clock.fastForward(16_000)
    await page.getByText('2 of 2 connected').waitFor()
    expect(await page.getByRole('button', { name: /Copy link|Cancel request|Renew|Edit/ }).count()).toBe(0)
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.getByRole('table', { name: 'Requests' }).getByText('Complete').waitFor()
    await page.getByRole('table', { name: 'Where clients get stuck' }).getByText('Nobody is stuck').first().waitFor()
    expect([...faults, ...theirs.faults]).toEqual([])
    await theirs.close()
    await close()
  })

  test('a request is emailed, reminded of, edited, renewed and canceled', async () => {
    const { token } = await signIn(place.service, agency.email)
    const { page, faults, close } = await visit(place, { token, ...phone })
    await page.goto(`${home}/requests/new`)
    await addSystem(page, 'Magnite')
    await page.getByRole('checkbox', { name: 'Optional' }).check()
    await page.getByLabel('Title').fill('Publisher accounts')
    await page.getByLabel('Client’s name').fill('Hank Scorpio')
    await page.getByLabel('Client’s email').fill(MAIL)
    await page.getByLabel('Remind them').uncheck()
    await expectAccessible(page)
    let before = new Date()
    await page.getByRole('button', { name: 'Create and email' }).click()
    await page.getByText(`Request created and emailed to ${MAIL}.`).first().waitFor()
    await page.getByText('Emailed just now.').waitFor()
    const link = await page.getByTestId('link').innerText()
    expect((await place.service.mailTo(MAIL, before)).text).toContain(link)
    await page.getByText('off', { exact: true }).waitFor()

    before = new Date()
    await page.getByRole('button', { name: 'Send reminder' }).click()
    await page.getByText(`Reminder emailed to ${MAIL}.`).first().waitFor()
    expect((await place.service.mailTo(MAIL, before)).text).toContain(link)

    await page.getByRole('button', { name: 'Edit…' }).click()
    await expectAccessible(page)
    await page.getByLabel('Title').fill('Publisher seats')
    await page.getByLabel('Language').selectOption({ label: 'German' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Publisher seats' }).waitFor()
    await page.getByText('German', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Renew…' }).click()
    await page.getByText('The current link stops working immediately.').waitFor()
    await page.getByRole('button', { name: 'Renew', exact: true }).click()
    await page.getByText(`New link created and emailed to ${MAIL}.`).first().waitFor()
    await expect.poll(() => page.getByTestId('link').innerText()).not.toBe(link)

    await page.getByRole('button', { name: 'Cancel request…' }).click()
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel request' }).click()
    await page.getByText('Request canceled.').first().waitFor()
    await page.getByRole('list', { name: 'Progress' }).getByText('Canceled').waitFor()
    expect(await page.getByTestId('link').count()).toBe(0)
    expect(await page.getByRole('button', { name: /Renew|Edit|Send reminder|Cancel/ }).count()).toBe(0)
    expect(faults).toEqual([])
    await close()
  })

  test('requests are searched and narrowed in the address, and opened from anywhere in their row', async () => {
    const { token, client } = await signIn(place.service, agency.email)
    for (const title of ['Spring', 'Summer', 'Autumn'])
      await client.createConnectRequest(globex, { title, clientName: `${title} client`, items: [{ provider: 'xandr' }] })
    const { page, faults, close } = await visit(place, { token })
    await page.goto(`${home}/requests`)
    const rows = page.getByRole('table', { name: 'Requests' }).locator('tbody tr')
    await expect.poll(() => rows.count()).toBe(4)
    await page.getByRole('button', { name: 'Show 1 canceled' }).click()
    await page.waitForURL(/all=yes/)
    await page.getByLabel('Search requests').fill('autumn')
    await page.waitForURL(/q=autumn/)
    await page.getByText('1 of 5 shown').waitFor()
    await page.getByLabel('Search requests').fill('')
    await page.waitForURL(/all=yes$/)
    await page.getByLabel('Status', { exact: true }).selectOption('open')
    await page.waitForURL(/status=open/)
    await page.reload()
    await page.getByText('3 of 5 shown').waitFor()
    await page.getByRole('columnheader', { name: 'Request' }).getByRole('button').click()
    await page.waitForURL(/sort=request/)
    expect(await rows.getByRole('link').allInnerTexts()).toEqual(['Autumn', 'Spring', 'Summer'])
    await expectAccessible(page)
    await rows.first().getByRole('cell').last().click({ force: true })
    await page.getByRole('heading', { name: 'Autumn' }).waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test('a viewer sees how far clients are, but no link, no mailbox and no button', async () => {
    const ada = await signIn(place.service, agency.email)
    const grace = await signIn(place.service, 'grace@engines.example')
    await ada.client.updateOrganizationMember({ orgSlug: 'engines', userId: (await grace.client.getMe()).id }, { role: 'viewer' })
    const { id } = await ada.client.createConnectRequest(globex, {
      title: 'Winter',
      clientName: 'Hank',
      clientEmail: 'winter@globex.example',
      items: [{ provider: 'xandr' }],
    })
    const { page, faults, close } = await visit(place, { token: grace.token })
    await page.goto(`${home}/requests`)
    await page.getByRole('table', { name: 'Requests' }).getByText('Winter').waitFor()
    expect(await page.getByRole('link', { name: 'New request' }).count()).toBe(0)
    await page.goto(`${home}/requests/${id}`)
    await page.getByText('0 of 1 connected').waitFor()
    await page.getByText('Only members of this workspace see it.').waitFor()
    expect(await page.getByRole('main').innerText()).not.toMatch(/connect\/r\/|globex\.example/)
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
    await expectAccessible(page)
    await page.goto(`${home}/requests/new`)
    await page.getByText('Viewers can’t send requests.').waitFor()
    expect(faults).toEqual([])
    await page.goto(`${home}/requests/${crypto.randomUUID()}`)
    await page.getByText('Not found').first().waitFor()
    await close()
  })
})
