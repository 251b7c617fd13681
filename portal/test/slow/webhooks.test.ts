import type { Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { afterEach, expect, test } from 'vitest'
import { type Consumer, type Received, startConsumer } from '../../../api/test/consumer.ts'
import { signIn, signUp } from '../../scripts/furnish.ts'
import { expectAccessible } from '../accessible.ts'
import { inBrowser } from '../in-browser.ts'
import { visit } from '../visit.ts'

const asked = { email: 'ada@hooks.example', name: 'Ada', organizationName: 'Hooks', organizationSlug: 'hooks' }
const orgSlug = 'hooks'
const phone = { width: 390, height: 844 }

const act = async (page: Page, name: string, action: string) => {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}
const verified = (secret: string, { body, headers }: Received) => new Webhook(secret).verify(body, headers as Record<string, string>)

/** No wider than the screen, and readable for everyone. */
async function expectFine(page: Page) {
  await expectAccessible(page)
  const [wide, width] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [number, number]
  expect(wide, page.url()).toBeLessThanOrEqual(width)
}

const consumers: Consumer[] = []
const consume = async (...args: Parameters<typeof startConsumer>) => {
  const consumer = await startConsumer(...args)
  consumers.push(consumer)
  return consumer
}
afterEach(async () => void (await Promise.all(consumers.splice(0).map(({ close }) => close()))))

inBrowser((place) => {
  test('a webhook is created, its secret shown once, tested, edited, rotated, replayed and deleted', async () => {
    const { token, client } = await signUp(place.service, asked)
    await client.createWorkspace({ orgSlug }, { slug: 'globex', name: 'Globex' })
    const consumer = await consume((_, response) => response.writeHead(200).end('{"taken":true}'))
    const { page, faults, close } = await visit(place, { token })
    await page.goto('/organizations/hooks')
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByText('No webhooks yet').waitFor()
    await expectFine(page)
    await page.getByRole('button', { name: 'New webhook' }).click()
    await page.getByLabel('URL').fill(consumer.url)
    await page.getByLabel('Description').fill('Reporting')
    await page.getByRole('checkbox', { name: 'Connect links', exact: true }).uncheck()
    await page.getByRole('checkbox', { name: 'Integrations', exact: true }).uncheck()
    await page.getByText('Choose at least one event.').waitFor()
    expect(await page.getByRole('button', { name: 'Create webhook' }).isDisabled()).toBe(true)
    await page.getByText('Workspaces: show each event').locator('..').click()
    await page.getByRole('checkbox', { name: 'A workspace was created' }).check()
    await page.getByRole('checkbox', { name: 'API keys', exact: true }).check()
    await expectFine(page)
    await page.getByRole('button', { name: 'Create webhook' }).click()

    await page.getByText('Copy this secret now').waitFor()
    await expectFine(page)
    for (const _ of ['once', 'twice']) await page.keyboard.press('Escape')
    await page.getByText('Have you saved this secret?').waitFor()
    const secret = await page.getByTestId('secret').innerText()
    await page.getByRole('button', { name: 'I’ve saved it' }).click()
    expect(await page.content()).not.toContain(secret)
    const [made] = (await client.listWebhooks({ orgSlug })).webhooks
    expect(made).toMatchObject({ description: 'Reporting', types: ['workspace.created', 'api_key.*'], workspaceSlug: null })

    await client.createWorkspace({ orgSlug }, { slug: 'initech', name: 'Initech' })
    await expect.poll(consumer.types).toEqual(['workspace.created'])
    expect(verified(secret, consumer.received[0]!)).toMatchObject({ workspace: { slug: 'initech' } })
    await page.getByRole('link', { name: 'Reporting' }).click()
    await page.getByText('Up to date').waitFor()
    await page.getByRole('table', { name: 'Deliveries' }).getByText('Delivered (200)').waitFor()
    await page.getByRole('button', { name: 'Send test event' }).click()
    const answer = page.getByRole('region', { name: 'Answer' })
    await answer.getByText('{"taken":true}').waitFor()
    await answer.getByText(/^Your server accepted the event/).waitFor()
    expect(verified(secret, consumer.received.at(-1)!)).toMatchObject({ type: 'webhook.test' })
    await page.getByRole('button', { name: 'Redeliver workspace.created' }).click()
    await page.getByText('Redelivery', { exact: true }).waitFor()
    expect(consumer.received.at(-1)!.event.id).toBe(consumer.received[0]!.event.id)
    await expectFine(page)

    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByText('Leave empty to keep http://127.0.0.1').waitFor()
    await page.getByLabel('Scope').selectOption('globex')
    await page.getByRole('radio', { name: /^All events/ }).check()
    await page.getByRole('button', { name: 'Update webhook' }).click()
    await page.getByText('Globex', { exact: true }).waitFor()
    expect(await client.getWebhook({ orgSlug, id: made!.id })).toMatchObject({
      types: [],
      workspaceSlug: 'globex',
      description: 'Reporting',
    })

    await act(page, 'Reporting', 'Rotate secret…')
    await page.getByRole('button', { name: 'Rotate secret' }).click()
    const next = await page.getByTestId('secret').innerText()
    await page.getByRole('button', { name: 'I’ve saved it' }).click()
    const count = consumer.received.length
    await act(page, 'Reporting', 'Replay events…')
    await expectFine(page)
    await page.getByRole('button', { name: 'Replay events' }).click()
    await page.getByText(/^Replay started: /).waitFor()
    await expect.poll(() => consumer.types().slice(count)).toContain('workspace.created')
    for (const each of [secret, next]) verified(each, consumer.received.at(-1)!)

    await act(page, 'Reporting', 'Delete…')
    await expectFine(page)
    await page.getByRole('button', { name: 'Delete permanently' }).click()
    await page.getByText('No webhooks yet').waitFor()
    await page.goto('/organizations/hooks/audit')
    await page.getByText('rotated the secret of the webhook').waitFor()
    await page.getByText('sent a test event to the webhook').waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test('on a phone: a webhook that fails, is disabled with events waiting, and continues when it is enabled', async () => {
    const { token, client } = await signIn(place.service, asked.email)
    const consumer = await consume((_, response) => response.writeHead(500).end('out of disk'))
    const { id } = await client.createWebhook({ orgSlug }, { url: consumer.url, description: 'Alerts', types: ['api_key.*'] })
    const mint = (name: string) => client.createApiKey({ orgSlug }, { name, level: 'user' })
    for (const name of ['one', 'two', 'three']) await mint(name)
    const { page, faults, close } = await visit(place, { token, viewport: phone })
    await page.goto('/organizations/hooks/webhooks')
    await page.getByText(/^Up to [34] events behind/).waitFor()
    await expectFine(page)
    await page.getByRole('link', { name: 'Alerts' }).click()
    await page.getByRole('table', { name: 'Deliveries' }).getByText('Failed (500)').first().waitFor()
    await page
      .getByText(/^Event \d+, details/)
      .first()
      .click()
    await page.getByText('out of disk').first().waitFor()
    await page.getByText('Your server answered with 500').first().waitFor()
    await expectFine(page)
    await act(page, 'Alerts', 'Disable…')
    await page.getByText('Nothing is lost').waitFor()
    await expectFine(page)
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('This webhook is disabled', { exact: true }).waitFor()
    await page.getByText('Enable this webhook to test it.').waitFor()
    expect(await page.getByRole('button', { name: 'Send test event' }).isDisabled()).toBe(true)
    await expectFine(page)
    consumer.answer((_, response) => response.writeHead(204).end())
    const before = consumer.received.length
    await page.getByRole('button', { name: 'Enable…' }).click()
    await page.getByText('You become the owner of this webhook.').waitFor()
    await page.getByRole('button', { name: 'Enable', exact: true }).click()
    await expect.poll(() => consumer.types().slice(before)).toEqual(['api_key.created', 'api_key.created', 'api_key.created'])
    await page.getByText('Up to date').waitFor()
    await page.getByLabel('Show deliveries').selectOption('failed')
    await expect.poll(() => page.getByText('Delivered (204)').count()).toBe(0)
    expect(faults).toEqual([])
    await close()
    await client.deleteWebhook({ orgSlug, id })
  })

  test('members are not offered webhooks', async () => {
    const { token } = await signIn(place.service, 'grace@hooks.example')
    const { page, faults, close } = await visit(place, { token })
    await page.goto('/organizations/hooks')
    await page.getByRole('link', { name: 'API keys' }).waitFor()
    expect(await page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0)
    expect(faults).toEqual([])
    await close()
  })
})
