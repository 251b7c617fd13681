import { type Client, createClient } from '@adjoin/contract/client'
import { tokenOf } from '../../furnishing/front-door.ts'
import type { PortalService } from './service.ts'

export type FurnishedRequests = {
  request: string
  requestDone: string
  requestDraft: string
  /** What clients have of them. */
  askedFor: string
  passedOn: string
  receipt: string
}

const good = { username: 'globex-api', password: 'a-good-password' }

/** Requests at every stage: one in the middle of it with all that can happen, one that is done, one that nobody has got yet. */
export async function furnishRequests(
  { url }: PortalService,
  client: Client,
  at: { orgSlug: string; workspaceSlug: string },
): Promise<FurnishedRequests> {
  const anyone = createClient({ url })
  const ask = (title: string, items: Parameters<Client['createConnectRequest']>[1]['items'], more: object = {}) =>
    client.createConnectRequest(at, { title, items, ...more })
  const path = (address: string) => address.slice(url.length)
  const page = ({ id }: { id: string }) => `/organizations/${at.orgSlug}/workspaces/${at.workspaceSlug}/requests/${id}`

  const half = await ask(
    'Your ad accounts for spring',
    [
      { provider: 'xandr', name: 'Monetize, Europe', accessUntil: '2027-06-30' },
      { provider: 'xandr', name: 'Monetize, Asia' },
      { provider: 'google_ads', name: 'Search and shopping', settings: { customerId: '1234567890' } },
      { provider: 'meta_ads', optional: true },
      { provider: 'linkedin_ads' },
      { provider: 'criteo', optional: true },
    ],
    { message: 'Two minutes each. Thank you!', clientName: 'Hank Scorpio', clientEmail: 'hank@globex.example' },
  )
  await client.sendConnectRequest({ ...at, requestId: half.id })
  const token = tokenOf(half.connectUrl!)
  const [europe, asia, search, meta, linkedin] = half.items.map(({ id }) => ({ token, itemId: id })) as [Item, Item, Item, Item, Item]
  const { receiptUrl } = await anyone.submitConnectItemCredentials(europe, good)
  await anyone.submitConnectItemCredentials(asia, { ...good, password: 'refuse-this-one' })
  const { authorizationUrl } = await anyone.startConnectItemOAuth(search, {})
  let next: string | null = `${authorizationUrl}&decision=deny`
  while (next && !next.startsWith(`${url}/connect/r/`)) next = (await fetch(next, { redirect: 'manual' })).headers.get('location')
  await anyone.declineConnectItem(meta)
  const { connectUrl: passedOn } = await anyone.passOnConnectItem(linkedin)

  const done = await ask('Publisher seat', [{ provider: 'xandr', name: 'Monetize, Africa' }], { clientName: 'Mindy Simmons' })
  await anyone.submitConnectItemCredentials({ token: tokenOf(done.connectUrl!), itemId: done.items[0]!.id }, good)
  const unsent = await ask('Display for autumn', [{ provider: 'adform' }, { provider: 'google_ads', name: 'Autumn' }], {
    clientName: 'Globex France',
  })
  const canceled = await ask('Old campaign accounts', [{ provider: 'pubmatic', name: 'PubMatic, old' }])
  await client.cancelConnectRequest({ ...at, requestId: canceled.id })
  return {
    request: page(half),
    requestDone: page(done),
    requestDraft: page(unsent),
    askedFor: path(half.connectUrl!),
    passedOn: path(passedOn),
    receipt: path(receiptUrl!),
  }
}

type Item = { token: string; itemId: string }
