// Nobody is sent elsewhere by an address of ours:
// by a mailed link, by a page, by a consent that never began; and a browser never gets JSON.
import { randomBytes } from 'node:crypto'
import { tokenOf } from '../../furnishing/front-door.ts'
import { findChromium, launch } from '../../portal/scripts/chromium.ts'
import type { Finding, Size } from '../finding.ts'
import { type Attack, type AttackContext, clientOf, counted, newAddress, outcomeOf, PUBLIC_URL, send, unique } from './attack-context.ts'

const EVIL = 'evil.example'
const targets = [`https://${EVIL}/`, `//${EVIL}`, `/\\${EVIL}`, `https:${EVIL}`, `\thttps://${EVIL}`, `http://localhost:3000@${EVIL}/`]
const TRIES = 40
/** A page that goes nowhere by then has not decided: that is a failure too. */
const DECIDED_MS: Record<Size, number> = { small: 120_000, full: 8000 }
const isEvil = ({ hostname }: URL) => hostname.endsWith(EVIL)

export const redirects: Attack = async function* (context) {
  yield* mailed(context)
  yield* pages(context)
  yield* consents(context)
  yield* declined(context)
  yield* browserLimits(context)
}

async function* mailed({ furnish, urls, smtp }: AttackContext) {
  const inside = targets.map((target) => `${PUBLIC_URL}/signin/done?${new URLSearchParams({ to: target })}`)
  const faults: string[] = []
  for (const callbackURL of [...targets, ...inside]) {
    const { email } = await furnish.person()
    const answer = await send(`${urls[0]}/v1/auth/magic-link`, { method: 'POST', body: { email, callbackURL } })
    if (answer.status !== 202) continue
    const { text } = await smtp.letterTo(email)
    if (decodeURIComponent(text).includes(EVIL)) faults.push(callbackURL)
    const { callbackURL: kept } = await clientOf(urls[1]!, { headers: {} }).getSignInLink({ token: /#token=([\w-]{43})/.exec(text)![1]! })
    if (kept && decodeURIComponent(kept).includes(EVIL)) faults.push(`${callbackURL}, kept for after the sign-in`)
  }
  yield {
    tried: `${targets.length + inside.length} callbackURLs that lead elsewhere, plainly or through a page of ours`,
    found: faults.length ? `${faults.length} mailed or kept, such as ${faults[0]}` : 'none mailed, none kept',
    good: !faults.length,
  }
}

/** In a real browser, with a session: the page itself decides where to go. */
async function* pages({ furnish, urls, size }: AttackContext): AsyncGenerator<Finding> {
  const chromium = findChromium()
  if (!chromium) return yield { tried: 'the page behind a sign-in, in a browser', found: 'not tried: there is no Chromium here' }
  const person = await furnish.person()
  const browser = await launch(chromium)
  const gone: string[] = []
  try {
    const context = await browser.newContext()
    await context.addCookies([{ name: 'adjoin_session', value: person.token, url: urls[0]! }])
    await context.route(isEvil, (route) => route.abort())
    for (const target of targets) {
      const page = await context.newPage()
      const left = new Promise<string>((resolve) =>
        page.on('request', (request) => isEvil(new URL(request.url())) && resolve(`went to ${target}`)),
      )
      await page.goto(`${urls[0]}/signin/done?${new URLSearchParams({ to: target })}`, { waitUntil: 'commit' })
      const stayed = page
        .waitForURL(({ pathname }) => pathname !== '/signin/done', { waitUntil: 'commit', timeout: DECIDED_MS[size] })
        .then(
          () => null,
          () => `stands still with ${target}`,
        )
      const fault = await Promise.race([left, stayed])
      if (fault) gone.push(fault)
      await page.close()
    }
  } finally {
    await browser.close()
  }
  yield {
    tried: `the page behind a sign-in, told to go to ${targets.length} places elsewhere`,
    found: gone.join(', ') || 'stayed here',
    good: !gone.length,
  }
}

/** The state is anybody's who opens a connect link; with it, and an error, no consent is needed. */
async function* consents({ furnish, urls, smtp }: AttackContext) {
  const organization = await furnish.organization()
  const { slug: workspaceSlug } = await furnish.workspace(organization)
  const at = { orgSlug: organization.slug, workspaceSlug }
  const admin = clientOf(urls[0]!, organization.admin)
  const made = await admin.createIntegration(at, {
    provider: 'google_ads',
    name: 'Search',
    settings: { customerId: '123-456-7890' },
    returnUrl: `https://${EVIL}/back`,
  })
  const { authorizationUrl } = await clientOf(urls[1]!, { headers: {} }).startConnectOAuth(
    { token: made.connectUrl.split('/').at(-1)! },
    {},
  )
  const query = new URLSearchParams({
    state: new URL(authorizationUrl).searchParams.get('state')!,
    error: 'server_error',
    error_description: `Your account is locked. Call https://${EVIL}/help`,
  })
  const answer = await send(`${urls[2]}/v1/connect/oauth/callback?${query}`)
  const location = String(answer.headers.location)
  yield {
    tried: 'a consent that came back with an error, opened by somebody else',
    found: `${answer.status} to ${new URL(location, PUBLIC_URL).origin}`,
    good: answer.status === 302 && location.startsWith(`${PUBLIC_URL}/`),
  }
  const { statusDetail, lastError } = await admin.getIntegration({ ...at, id: made.id })
  const letters = smtp.letters.filter(({ to }) => to.includes(organization.admin.email)).map(({ text }) => text)
  const shown = [statusDetail, lastError, ...letters].filter((text) => text?.includes(EVIL))
  yield { tried: 'its words, where the agency reads them', found: shown[0] ?? 'without the address', good: !shown.length }
}

/** A request of which everything was declined is complete, and leads nobody to the address that its maker chose. */
async function* declined({ furnish, urls }: AttackContext) {
  const organization = await furnish.organization()
  const at = { orgSlug: organization.slug, workspaceSlug: (await furnish.workspace(organization)).slug }
  const items = [{ provider: 'google_ads' as const, optional: true }]
  const asked = { title: 'Accounts', returnUrl: `https://${EVIL}/back`, items }
  const made = await clientOf(urls[0]!, organization.admin).createConnectRequest(at, asked)
  const token = tokenOf(made.connectUrl!)
  const anyone = clientOf(urls[1]!, { headers: {} })
  const { authorizationUrl } = await anyone.startConnectItemOAuth({ token, itemId: made.items[0]!.id }, {})
  const query = new URLSearchParams({ state: new URL(authorizationUrl).searchParams.get('state')!, error: 'access_denied' })
  const { headers } = await send(`${urls[2]}/v1/connect/oauth/callback?${query}`)
  await anyone.declineConnectItem({ token, itemId: made.items[0]!.id })
  const { state, request } = await anyone.getPublicConnectRequest({ token })
  const result = String(headers.location).split('#result=')[1]!
  const { returnUrl } = await anyone.takeConnectReturn({ result })
  const shown = [headers.location, request?.returnUrl, returnUrl].filter((address) => String(address).includes(EVIL))
  yield {
    tried: 'a request whose only item was declined, with a return address elsewhere',
    found: shown.length ? `leads to ${shown[0]}` : `is ${state}, and leads nowhere`,
    good: !shown.length && state === 'complete',
  }
}

/**
 * What a browser opens answers a browser, also past its limit;
 * and an office that reads much can still come back from a consent.
 */
async function* browserLimits({ urls }: AttackContext) {
  const paths = { 'sign-ins begun': '/v1/auth/google', 'sign-ins coming back': `/v1/auth/google/callback?state=${unique()}&code=x` }
  for (const [name, path] of Object.entries(paths)) {
    const answers = []
    const from = newAddress()
    for (let n = 0; n < TRIES; n++) answers.push(await send(`${urls[n % urls.length]}${path}`, { from }))
    // Past the limit a browser is sent to another page than before: to the one that says so.
    const places = answers.map(({ status, headers }) => `${status} ${placeOf(String(headers.location ?? ''))}`)
    yield {
      tried: `${TRIES} ${name} from one address`,
      found: counted(places),
      good: answers.every(({ status }) => status === 302) && new Set(places).size > 1,
    }
  }
  const from = newAddress()
  for (let n = 0; n < 61; n++) await send(`${urls[0]}/v1/connect/${randomBytes(32).toString('base64url')}`, { from })
  const back = await send(`${urls[0]}/v1/connect/oauth/callback?state=x&code=y`, { from })
  yield {
    tried: 'a consent coming back to an office that has read 61 links in a minute',
    found: outcomeOf(back),
    good: back.status === 302,
  }
}

/** `/error?code=…`, or the path alone: the rest is chance. */
function placeOf(location: string): string {
  const { pathname, searchParams } = new URL(location || '/', PUBLIC_URL)
  return pathname === '/error' ? `/error?code=${searchParams.get('code')}` : pathname
}
