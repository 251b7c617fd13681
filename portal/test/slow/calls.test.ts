import { expect, test } from 'vitest'
import { callThrough, consent, signIn, signUp } from '../../scripts/furnish.ts'
import { type CallExample, cliTo, curlTo, endingOf, isKnownRead, typescriptTo } from '../../src/call-words.ts'
import { expectAccessible } from '../accessible.ts'
import { inBrowser } from '../in-browser.ts'
import { visit } from '../visit.ts'

const agency = { email: 'ada@engines.example', name: 'Ada', organizationName: 'Engines', organizationSlug: 'engines' }
const globex = { orgSlug: 'engines', workspaceSlug: 'globex' }
const home = '/organizations/engines/workspaces/globex'

inBrowser((place) => {
  test('an admin decides what programs may do, and sees what they changed and what failed', async () => {
    const { token, client } = await signUp(place.service, agency)
    await client.createWorkspace({ orgSlug: 'engines' }, { slug: 'globex', name: 'Globex' })
    const { page, faults, close } = await visit(place, { token })
    await page.goto(`${home}/integrations/new?provider=google_ads`)
    expect(await page.getByRole('radio', { name: 'Read only' }).isChecked()).toBe(true)
    await page.getByRole('radio', { name: /^Off/ }).check()
    await page.getByLabel('Customer ID', { exact: true }).fill('1234567890')
    await page.getByRole('button', { name: 'Create integration and link' }).click()
    await page.getByTestId('link').waitFor()
    const [created] = (await client.listIntegrations(globex)).integrations
    const integration = { ...globex, id: created!.id }
    const mode = async () => (await client.getIntegration(integration)).callPolicy.mode
    expect(await mode()).toBe('off')
    const at = page.url()
    await page.goto(`${at}/use`)
    await page.getByText('Programs can’t use this connection.').waitFor()
    expect(await page.getByRole('button', { name: 'Copy curl' }).count()).toBe(0)
    await page.getByText('Nothing to show yet').waitFor()

    await page.getByRole('link', { name: 'Change what programs may do' }).click()
    await page.getByRole('radio', { name: 'Read only' }).check()
    await page.getByRole('button', { name: 'Update policy' }).click()
    await expect.poll(mode).toBe('read')
    await page.goto(`${at}/use`)
    await page.getByText('Calls work as soon as your client has connected Google Ads.').waitFor()
    await consent(place.service.url, created!.connectLink!.connectUrl, 'allow')

    await page.goto(`${at}/settings`)
    await page.getByRole('radio', { name: 'Read and change' }).check()
    await page.getByRole('button', { name: 'Update policy…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Let programs make changes at Google Ads?' })
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await mode()).toBe('read')
    await page.getByRole('button', { name: 'Update policy…' }).click()
    await dialog.getByRole('button', { name: 'Allow changes' }).click()
    // The words of the first update may still stand there, so the service is asked.
    await expect.poll(mode).toBe('full')

    await callThrough(client, integration)
    // How a call ended is written after its answer.
    const outcomes = async () => (await client.listIntegrationCalls(integration)).calls.map(({ outcome }) => outcome)
    await expect.poll(outcomes).toEqual(['failed', 'ok'])
    await page.goto(`${at}/use`)
    const rows = page.getByRole('table', { name: 'Changes and failed calls' }).getByRole('row')
    await expect
      .poll(() => rows.allInnerTexts())
      .toEqual([
        expect.stringContaining('Call'),
        expect.stringMatching(/POST \/v25\/customers\/5550001111\/googleAds:search[\s\S]*Read from[\s\S]*Ada[\s\S]*Failed with 403/),
        expect.stringMatching(/POST \/v25\/customers\/1234567890\/campaigns:mutate[\s\S]*Change at[\s\S]*Ada[\s\S]*Done/),
      ])
    await expectAccessible(page)
    expect(faults).toEqual([])
    await close()
  })

  test('a member creates without allowing changes, and reads who decides', async () => {
    const grace = await signIn(place.service, 'grace@engines.example')
    const { page, faults, close } = await visit(place, { token: grace.token, viewport: { width: 390, height: 844 } })
    await page.goto(`${home}/integrations/new?provider=xandr`)
    await page.getByText('Admins of this workspace can change this later').waitFor()
    expect(await page.getByRole('radio', { name: 'Read and change' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Create integration and link' }).click()
    await page.getByTestId('link').waitFor()
    await page.getByRole('link', { name: 'Settings', exact: true }).last().click()
    await page.getByText('Programs can read reports and settings through this connection. They can’t change anything.').waitFor()
    await page.getByText('Only admins of this workspace can change this.').waitFor()
    expect(await page.getByRole('button', { name: 'Update policy' }).count()).toBe(0)
    await expectAccessible(page)
    expect(faults).toEqual([])
    await close()
  })
})

test('a call is copied with its place, its method and its body, whatever quotes are in it', () => {
  const place = { ...globex, id: 'i-1' }
  const search: CallExample = { title: 'Campaigns', method: 'POST', path: 'v25/x:search?a=1', body: { query: "name = 'Ada'" } }
  expect(curlTo(place, 'https://adjoin.example', search)).toBe(
    [
      "curl -X POST 'https://adjoin.example/v1/organizations/engines/workspaces/globex/integrations/i-1/proxy/v25/x:search?a=1'",
      '-H "x-api-key: $ADJOIN_API_KEY"',
      "-H 'content-type: application/json'",
      `-d '{"query":"name = '\\''Ada'\\''"}'`,
    ].join(' \\\n  '),
  )
  expect(cliTo(place, { ...search, method: 'PUT' })).toContain(' -X PUT ')
  expect(curlTo(place, 'https://adjoin.example', { ...search, body: JSON.stringify(search.body, null, 2) })).toBe(
    curlTo(place, 'https://adjoin.example', search),
  )
  expect(typescriptTo(place, 'https://adjoin.example', search).split('\n').slice(2)).toEqual([
    "const client = createClient({ url: 'https://adjoin.example', headers: { 'x-api-key': process.env.ADJOIN_API_KEY! } })",
    "const integration = client.integration({ org: 'engines', workspace: 'globex', id: 'i-1' })",
    "const answer = await integration.fetch('v25/x:search?a=1', {",
    "  method: 'POST',",
    "  headers: { 'content-type': 'application/json' },",
    `  body: ${JSON.stringify(JSON.stringify(search.body))},`,
    '})',
    'console.log(answer.status, await answer.json())',
  ])
  expect(cliTo(place)).toBe("adjoin api i-1 'PATH' \\\n  --org engines --workspace globex")
})

test('a call is run without a question only if it is known to read', () => {
  const examples: CallExample[] = [{ title: 'Campaigns', method: 'POST', path: 'v25/x:search?a=1', effect: 'read' }]
  const known = (method: string, path: string) => isKnownRead(examples, { method, path })
  expect([known('GET', 'anything'), known('POST', 'v25/x:search'), known('POST', ' v25/x:search?b=2 ')]).toEqual([true, true, true])
  expect([known('PUT', 'v25/x:search'), known('POST', 'v25/x:mutate'), known('POST', 'v25/x:searchStream')]).toEqual([false, false, false])
})

test('a call without an outcome is in progress, until none can be', () => {
  const at = new Date(0).toISOString()
  expect([60_000, 3_600_000].map((now) => endingOf({ outcome: null, status: null, at }, now).words)).toEqual([
    'In progress',
    'Outcome unknown',
  ])
})
