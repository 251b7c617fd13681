// What leads to a connection: requests, links, consents and forms.
import { randomUUID } from 'node:crypto'
import type { Client } from '@adjoin/contract'
import { choosing, consent, integrate, newCredentials, newcomer, receipted, renewable, requested, tokenOf, unset } from '../suite.ts'
import { request, sql } from '../world.ts'
import type { RecordingScenarios } from './scenario.ts'

export const connecting = {
  createConnectRequest: async ({ admin, viewer, w }) => {
    const body = { title: 'Accounts', items: [{ provider: 'xandr' as const }] }
    return { run: () => admin.createConnectRequest(w, body), refused: () => viewer.client.createConnectRequest(w, body) }
  },
  updateConnectRequest: async (tenant) => {
    const { at } = await requested(tenant)
    const update = (client: Client) => client.updateConnectRequest(at, { title: 'All accounts' })
    return { run: () => update(tenant.admin), refused: () => update(tenant.viewer.client) }
  },
  cancelConnectRequest: async (tenant) => {
    const { at } = await requested(tenant)
    const cancel = () => tenant.admin.cancelConnectRequest(at)
    return { run: cancel, refused: cancel, writes: ['connect_request.canceled'] }
  },
  sendConnectRequest: async (tenant) => {
    const [{ at }, unaddressed] = [await requested(tenant, { clientEmail: newcomer() }), await requested(tenant)]
    return { run: () => tenant.admin.sendConnectRequest(at), refused: () => tenant.admin.sendConnectRequest(unaddressed.at) }
  },
  renewConnectRequest: async (tenant) => {
    const [{ at }, gone] = [await requested(tenant), await requested(tenant)]
    await tenant.admin.cancelConnectRequest(gone.at)
    return { run: () => tenant.admin.renewConnectRequest(at, {}), refused: () => tenant.admin.renewConnectRequest(gone.at, {}) }
  },
  startConnectItemOAuth: async (tenant) => {
    const { items } = await requested(tenant)
    const begin = (item: { token: string; itemId: string }) => tenant.world.client().startConnectItemOAuth(item, {})
    return { run: () => begin(items[1]!), refused: () => begin({ ...items[1]!, itemId: randomUUID() }) }
  },
  submitConnectItemCredentials: async (tenant) => {
    const { items } = await requested(tenant)
    const submit = () => tenant.world.client().submitConnectItemCredentials(items[0]!, newCredentials())
    return { run: submit, refused: submit, writes: ['connect_link.started', 'integration.connected'] }
  },
  declineConnectItem: async (tenant) => {
    const { items } = await requested(tenant)
    const decline = (item: { token: string; itemId: string }) => tenant.world.client().declineConnectItem(item)
    return { run: () => decline(items[1]!), refused: () => decline(items[0]!) }
  },
  passOnConnectItem: async (tenant) => {
    const { items } = await requested(tenant)
    const passOn = (item: { token: string; itemId: string }) => tenant.world.client().passOnConnectItem(item)
    return { run: () => passOn(items[0]!), refused: () => passOn({ ...items[0]!, itemId: randomUUID() }) }
  },
  askForNewConnectLink: async (tenant) => {
    const [gone, live] = [await integrate(tenant), await integrate(tenant)]
    await tenant.world.query(sql`update connect_links set expires_at = now() - interval '1 hour', expired_noted_at = now()
      where organization_id = ${tenant.organization.id} and integration_id = ${gone.id}`)
    const ask = ({ token }: { token: string }) => tenant.world.client().askForNewConnectLink({ token })
    return { run: () => ask(gone), refused: () => ask(live) }
  },
  askForNewRequestLink: async (tenant) => {
    const [gone, live] = [await requested(tenant), await requested(tenant)]
    await tenant.world.query(sql`update connect_requests set expires_at = now() - interval '1 hour'
      where organization_id = ${tenant.organization.id} and id = ${gone.at.requestId}`)
    const ask = ({ token }: { token: string }) => tenant.world.client().askForNewRequestLink({ token })
    return { run: () => ask(gone), refused: () => ask(live) }
  },
  stopClientMails: async (tenant) => {
    const clientEmail = newcomer()
    const { at } = await requested(tenant, { clientEmail })
    await tenant.admin.sendConnectRequest(at)
    const [mail] = await tenant.world.mails(clientEmail)
    const token = /connect\/stop\/([\w-]+)/.exec(mail!.text)![1]!
    const stop = (of: string) => tenant.world.client().stopClientMails({ token: of })
    return { run: () => stop(token), refused: () => stop('x'.repeat(43)) }
  },
  disconnectByReceipt: async (tenant) => {
    const { token } = await receipted(tenant)
    const disconnect = () => tenant.world.client().disconnectByReceipt({ token })
    return { run: disconnect, refused: disconnect }
  },
  renewWithSameLogin: async (tenant) => {
    const { result, other } = await renewable(tenant)
    const renew = (of: string) => tenant.world.client().renewWithSameLogin({ result: of }, { integrationIds: [other] })
    return { run: () => renew(result), refused: () => renew('x'.repeat(43)), writes: ['integration.connected'] }
  },
  chooseConnectAccount: async (tenant) => {
    const { result } = await choosing(tenant)
    const choose = (of: string) => tenant.world.client().chooseConnectAccount({ result: of }, { accountId: '1234567890' })
    return { run: () => choose(result), refused: () => choose('x'.repeat(43)), writes: ['integration.updated'] }
  },
  submitConnectSettings: async (tenant) => {
    const { result } = await unset(tenant)
    const fill = (of: string) => tenant.world.client().submitConnectSettings({ result: of }, { accountId: '1234567890' })
    return { run: () => fill(result), refused: () => fill('x'.repeat(43)), writes: ['integration.updated'] }
  },
  startConnectOAuth: async ({ world, admin, w }) => {
    const { connectUrl } = await admin.createIntegration(w, { provider: 'google_ads', name: 'Search' })
    const begin = (token: string) => world.client().startConnectOAuth({ token }, {})
    return { run: () => begin(tokenOf(connectUrl)), refused: () => begin('x'.repeat(43)) }
  },
  submitConnectCredentials: async (tenant) => {
    const { token } = await integrate(tenant)
    const submit = () => tenant.world.client().submitConnectCredentials({ token }, newCredentials())
    return { run: submit, refused: submit, writes: ['connect_link.started', 'integration.connected'] }
  },
  finishConnectOAuth: async (tenant) => {
    const callback = await consent(tenant)
    const finish = async () => {
      const { status, headers } = await request(callback)
      return { status, location: headers.get('location') }
    }
    return { run: finish, refused: finish, writes: ['integration.connected'] }
  },
} satisfies Partial<RecordingScenarios>
