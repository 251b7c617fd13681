import type { Page } from 'playwright-core'
import type { Furnished } from './furnish.ts'

/** A page to be looked at, and what is opened on it. */
export type PageScene = [name: string, path: string, act?: (page: Page) => Promise<unknown>]

const click = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()

const searchDocs = (typed: string) => async (page: Page) => {
  await page
    .getByRole('button', { name: /^Search/ })
    .first()
    .click()
  await page.getByRole('combobox', { name: 'Search the documentation' }).fill(typed)
}

const refusedForm = async (page: Page) => {
  await page.getByLabel('Username').fill('globex-api')
  await page.getByLabel('Password', { exact: true }).fill('refuse-this-one')
  await page.keyboard.press('Enter')
  await page.getByText('was not connected').waitFor()
}

export const outside = ({ invitation, byForm, byConsent, result, canceled, askedFor, passedOn, receipt }: Furnished): PageScene[] => [
  ['landing', '/'],
  ['sign-up', '/signup'],
  ['sign-in', '/signin'],
  ['sign-in-link-unusable', '/signin/link'],
  ['invitation', invitation],
  ['error', '/error?code=account_unknown'],
  ['not-found', '/no/such/page'],
  ['mailbox', '/dev/mailbox'],
  ['docs', '/docs'],
  ['docs-guide', '/docs/guides/introduction'],
  ['docs-reference', '/docs/reference'],
  ['docs-operation', '/docs/reference/rotateApiKey'],
  ['docs-search', '/docs', searchDocs('rotate')],
  ['docs-search-none', '/docs', searchDocs('nothing like it')],
  ['docs-providers', '/docs/providers'],
  ['docs-provider', '/docs/providers/google_ads'],
  ['docs-errors', '/docs/errors'],
  ['docs-error', '/docs/errors/slug_taken'],
  ['docs-missing', '/docs/guides/nobody-wrote-this'],
  ['connect-form', byForm],
  ['connect-consent', byConsent],
  ['connect-refused', byForm, refusedForm],
  ['connect-connected', result],
  ['connect-canceled', canceled],
  ['connect-request', askedFor],
  ['connect-passed-on', passedOn],
  ['connect-receipt', receipt],
]

/** Pages about what is not there: the browser itself notes the refused read, so they are only looked at. */
export const gone: PageScene[] = [['connect-gone', '/connect/nobody-made-this']]

const allowChanges = async (page: Page) => {
  await page.getByRole('radio', { name: 'Read and change' }).check()
  await page.getByRole('button', { name: 'Update policy…' }).click()
}

const runExample = async (page: Page) => {
  await page.getByRole('button', { name: 'Run call' }).click()
  await page.getByRole('region', { name: 'Response' }).scrollIntoViewIfNeeded()
}

const chooseAccounts = async (page: Page) => {
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByRole('radio', { name: 'Only the chosen ones' }).check()
  await page.getByRole('checkbox', { name: /1234567890/ }).check()
  await page.getByRole('button', { name: 'Update accounts' }).scrollIntoViewIfNeeded()
}

const openRemove = async (page: Page) => {
  await page.getByRole('button', { name: 'Actions for edsger' }).click()
  await page.getByRole('menuitem', { name: 'Remove…' }).click()
  await page.getByText('organization key').first().waitFor()
}

const newWebhook = async (page: Page) => {
  await click('New webhook')(page)
  await page.getByText('Workspaces: show each event').locator('..').click()
}

const testWebhook = async (page: Page) => {
  await click('Send test event')(page)
  await page.getByRole('region', { name: 'Answer' }).scrollIntoViewIfNeeded()
}

const openReplay = async (page: Page) => {
  await page.getByRole('button', { name: /^Actions for / }).click()
  await page.getByRole('menuitem', { name: 'Replay events…' }).click()
}

const webhookScenes = ({ organization: o, webhook, webhookOff }: Furnished): PageScene[] => [
  ['webhooks', `${o}/webhooks`],
  ['webhook-new', `${o}/webhooks`, newWebhook],
  ['webhook', webhook],
  ['webhook-test', webhook, testWebhook],
  ['webhook-replay', webhook, openReplay],
  ['webhook-disabled', webhookOff],
  ['webhook-enable', webhookOff, click('Enable…')],
]

/** Two ad systems, one with what is rarely needed. */
const fillRequest = async (page: Page) => {
  await page.getByLabel('Title').fill('Your ad accounts')
  await page.getByLabel('Client’s email').fill('hank@globex.example')
  for (const system of ['Google Ads', 'Magnite']) {
    await page.getByRole('button', { name: 'Add ad system' }).click()
    await page.getByRole('menuitem', { name: system, exact: true }).click()
  }
  await page.getByText('More options').first().click()
  await page.getByLabel('Customer ID', { exact: true }).fill('123-456-7890')
}

const requestScenes = ({ organization: o, workspace: w, request, requestDone, requestDraft }: Furnished): PageScene[] => [
  ['requests', `${w}/requests?all=yes`],
  ['requests-empty', `${o}/workspaces/hooli/requests`],
  ['requests-none', `${w}/requests?q=nothing-like-it`],
  ['request', request],
  ['request-done', requestDone],
  ['request-unsent', requestDraft],
  ['request-edit', request, click('Edit…')],
  ['request-renew', request, click('Renew…')],
  ['request-cancel', request, click('Cancel request…')],
  ['request-new', `${w}/requests/new`],
  ['request-systems', `${w}/requests/new`, click('Add ad system')],
  ['request-filled', `${o}/workspaces/hooli/requests/new`, fillRequest],
]

export const inside = (rooms: Furnished): PageScene[] => [...organizationScenes(rooms), ...requestScenes(rooms), ...webhookScenes(rooms)]

const organizationScenes = ({
  organization: o,
  workspace: w,
  member,
  apiKey,
  retiring,
  device,
  integration,
  used,
  failed,
  disabled,
}: Furnished): PageScene[] => [
  ['organization', o],
  ['account-menu', o, click('Account')],
  ['command-menu', o, (page) => page.keyboard.press('Control+k')],
  ['workspaces', `${o}/workspaces`],
  ['workspace-new', `${o}/workspaces`, click('New workspace')],
  ['workspace', w],
  ['workspace-filtered-empty', `${w}?status=active&q=nothing-like-it`],
  ['workspace-empty', `${o}/workspaces/hooli`],
  ['integration-new', `${w}/integrations/new`],
  ['integration-create', `${w}/integrations/new?provider=google_ads`],
  ['integration', integration],
  ['integration-use', `${used}/use`],
  ['integration-call', `${used}/use`, runExample],
  ['integration-checks', `${integration}/checks`],
  ['integration-check', `${integration}/checks`, (page) => page.getByRole('list', { name: 'Checks' }).locator('summary').first().click()],
  ['integration-checks-none', `${integration}/checks?q=nothing-like-it`],
  ['integration-activity', `${integration}/activity`],
  ['integration-settings', `${used}/settings`],
  ['integration-accounts', `${used}/settings`, chooseAccounts],
  ['integration-allow-changes', `${integration}/settings`, allowChanges],
  ['integration-error', failed],
  ['integration-disabled', disabled],
  ['integration-credentials', failed, click('Enter credentials yourself…')],
  ['integration-link', failed, click('Replace…')],
  ['integration-delete', `${integration}/settings`, click('Delete…')],
  ['workspace-members', `${w}/members`],
  ['workspace-activity', `${w}/activity`],
  ['workspace-settings', `${w}/settings`],
  ['workspace-delete', `${w}/settings`, click(/Delete this/)],
  ['members', `${o}/members`],
  ['member', member],
  ['member-remove', `${o}/members`, openRemove],
  ['invite', `${o}/members`, click('Invite')],
  ['api-keys', `${o}/api-keys`],
  ['api-key-new', `${o}/api-keys`, click('New key')],
  ['api-key', apiKey],
  ['api-key-retiring', retiring],
  ['api-key-rotate', apiKey, click('Rotate…')],
  ['api-key-menu', `${o}/api-keys`, click(/Actions for the key/)],
  ['audit', `${o}/audit`],
  ['audit-entry', `${o}/audit`, (page) => page.locator('summary').first().click()],
  ['audit-empty', `${o}/audit?actor=nobody%40nowhere.example`],
  ['organization-settings', `${o}/settings`],
  ['organization-freeze', `${o}/settings`, click('Freeze everything…')],
  ['account', '/account'],
  ['device', device],
  ['device-code', '/device'],
]

export const shapes = { phone: { width: 390, height: 844 }, desk: { width: 1440, height: 900 } } as const
