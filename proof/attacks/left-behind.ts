// What somebody leaves behind who lost a power: a webhook that they re-pointed, mails about what they made,
// links that were passed on. It ends, or belongs to those who stayed.
import { setTimeout as sleep } from 'node:timers/promises'
import { startConsumer } from '../../api/test/consumer.ts'
import { tokenOf } from '../../furnishing/front-door.ts'
import { until } from '../../furnishing/until.ts'
import type { Finding } from '../finding.ts'
import { type Attack, type AttackContext, clientOf, unique } from './attack-context.ts'
import { losses } from './losses.ts'
import { type AttackScene, createScene } from './scene.ts'

/** As long as a delivery or a mail takes that is on its way by mistake. */
const SETTLED_MS = 300

export const leftBehind: Attack = async function* (context) {
  for (const [n, { name, take }] of losses.filter((loss) => ['removed', 'demoted'].includes(loss.name)).entries())
    yield await repointed(await createScene(context, 'session', 'admin', n), name, take)
  yield await frozen(await createScene(context, 'session', 'admin', 0))
  for (const [n, [name, act]] of Object.entries(mails).entries())
    yield await mailed(await createScene(context, 'session', 'assigned', n), name, act)
  yield await renewed(await createScene(context, 'session', 'admin', 0))
}

const comes = (holds: () => Promise<boolean> | boolean): Promise<boolean> =>
  until(holds).then(
    () => true,
    () => false,
  )

/** An admin sends a colleague's events to an address of theirs. */
async function repointed(scene: AttackScene, name: string, take: (scene: AttackScene) => Promise<unknown>): Promise<Finding> {
  const { context, keeper, o, w, headers, attacker } = scene
  const consumer = await startConsumer()
  try {
    const { id } = await keeper.createWebhook(o, { url: 'http://127.0.0.1:9/hook', types: ['workspace.*'] })
    const mine = clientOf(context.urls[2]!, { headers })
    const { owner } = await mine.updateWebhook({ ...o, id }, { url: consumer.url })
    await keeper.updateWorkspace(w, { name: 'Before' })
    const began = await comes(() => consumer.received.length > 0)
    await take(scene)
    await keeper.updateWorkspace(w, { name: 'After' })
    const ended = async () => (await keeper.getWebhook({ ...o, id })).status === 'disabled'
    await comes(async () => consumer.received.length > 1 || (await ended()))
    await sleep(SETTLED_MS)
    const late = consumer.received.filter(({ body }) => body.includes('After')).length
    return {
      tried: `a colleague’s webhook, re-pointed by an admin who is then ${name}`,
      found: `${owner.email === attacker.email ? 'was theirs' : 'was their colleague’s'}; ${late} events came after`,
      good: began && !late && owner.email === attacker.email && (await ended()),
    }
  } finally {
    await consumer.close()
  }
}

async function frozen({ keeper, o, w }: AttackScene): Promise<Finding> {
  const consumer = await startConsumer()
  try {
    const { id } = await keeper.createWebhook(o, { url: consumer.url, types: ['workspace.*', 'organization.*'] })
    await keeper.freezeOrganization(o, { reason: 'A key leaked' })
    for (const name of ['One', 'Two', 'Three']) await keeper.updateWorkspace(w, { name })
    await comes(() => consumer.types().includes('organization.frozen'))
    await sleep(SETTLED_MS)
    const heard = [...new Set(consumer.types())]
    await keeper.thawOrganization(o)
    await comes(async () => (await keeper.getWebhook({ ...o, id })).behind === 0)
    const rest = consumer.types().slice(heard.length)
    return {
      tried: 'a webhook of a frozen organization',
      found: `got ${heard.join(', ')}; after the thaw ${rest.join(', ')}`,
      good: heard.join() === 'organization.frozen' && rest.filter((type) => type === 'workspace.updated').length === 3,
    }
  } finally {
    await consumer.close()
  }
}

type Act = (context: AttackContext, link: { readonly id: string; readonly token: string }) => Promise<unknown>

const anyone = ({ urls }: AttackContext) => clientOf(urls[2]!, { headers: {} })
const submit =
  (password: string): Act =>
  (context, { token }) =>
    anyone(context).submitConnectCredentials({ token }, { username: `api-${unique()}`, password })
/** What a client does with a guest's link, and mails tell of. */
const mails: Record<string, Act> = {
  'was connected': submit('Correct-Horse-1'),
  'failed to connect': submit('refuse-this'),
  'needs a new link': async (context, { id, token }) => {
    await context.furnish.one('update connect_links set expires_at = now() where integration_id = $1', [id])
    await anyone(context).askForNewConnectLink({ token })
  },
}

async function mailed({ context, keeper, organization, headers, attacker, w }: AttackScene, name: string, act: Act): Promise<Finding> {
  const { furnish, smtp, urls } = context
  const other = await furnish.workspace(organization)
  await furnish.assign(organization, other, attacker, 'admin') // stays in the organization
  const made = await clientOf(urls[0]!, { headers }).createIntegration(w, { provider: 'xandr', name: `Seat ${unique()}` })
  await keeper.removeWorkspaceMember({ ...w, userId: attacker.id })
  await act(context, { id: made.id, token: tokenOf(made.connectUrl) }).catch(() => {})
  const about = (email: string) =>
    smtp.letters.filter(({ to, text, subject }) => to.includes(email) && `${subject}${text}`.includes(made.name))
  const came = await comes(() => about(organization.admin.email).length > 0)
  await sleep(SETTLED_MS)
  const late = about(attacker.email).length
  return {
    tried: `the mail that an integration ${name}, whose maker was taken out of its workspace`,
    found: `went to ${[late ? 'them' : '', came ? 'its admins' : ''].filter(Boolean).join(' and ') || 'nobody'}`,
    good: came && !late,
  }
}

async function renewed({ context, keeper, w }: AttackScene): Promise<Finding> {
  const made = await keeper.createConnectRequest(w, { title: 'Accounts', items: [{ provider: 'xandr', name: 'Seat' }] })
  const item = { token: tokenOf(made.connectUrl!), itemId: made.items[0]!.id }
  const passed = tokenOf((await anyone(context).passOnConnectItem(item)).connectUrl)
  await keeper.renewConnectRequest({ ...w, requestId: made.id }, {})
  const use = {
    shown: anyone(context).getConnectLink({ token: passed }),
    'taken for credentials': submit('Correct-Horse-1')(context, { id: made.id, token: passed }),
  }
  const outcomes = await Promise.allSettled(Object.values(use))
  const still = Object.keys(use).filter((_, i) => outcomes[i]!.status === 'fulfilled')
  return {
    tried: 'a link that was passed on, after its request was renewed',
    found: still.length ? `still ${still.join(' and ')}` : 'ended',
    good: !still.length,
  }
}
