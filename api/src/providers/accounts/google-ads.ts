import { listAt, textAt, valueAt } from '../answer.ts'
import { bearer } from '../provider.ts'
import { type AccountsSource, accountIn, type ListAccounts, paged } from './list.ts'

const CLIENTS = `SELECT customer_client.id, customer_client.descriptive_name, customer_client.currency_code, customer_client.time_zone,
  customer_client.manager, customer_client.level, customer_client.status FROM customer_client WHERE customer_client.level <= 1`

/** The tree below every account that the person reaches directly. A canceled one tells its id alone. */
export const listGoogleAds: ListAccounts = async function* ({ session, credential, read }) {
  const base = `${session.hosts.api}/${session.version}`
  const headers = { ...bearer(credential), 'developer-token': session.app.developerToken ?? '' }
  const listed = await read({ method: 'GET', url: `${base}/customers:listAccessibleCustomers`, headers })
  for (const name of listAt(listed, 'resourceNames')) {
    const root = String(name).replace('customers/', '')
    const walked = new Set<string>()
    const waiting: { id: string; parentId: string | null }[] = [{ id: root, parentId: null }]
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { id, parentId } = next
      if (walked.has(id)) continue
      walked.add(id)
      let found = false
      for await (const client of clientsOf(read, `${base}/customers/${encodeURIComponent(id)}`, {
        ...headers,
        'login-customer-id': root,
      })) {
        found = true
        const manager = valueAt(client, 'manager') === true
        const own = textAt(client, 'id') === id
        const account = accountIn(client, manager ? 'manager' : 'account', ['id'], {
          name: ['descriptiveName'],
          currency: ['currencyCode'],
          timeZone: ['timeZone'],
          status: ['status'],
          parentId: own ? parentId : id,
          roots: [root],
        })
        if (!account) continue
        if (manager && !own) waiting.push({ id: account.id, parentId: id })
        yield account
      }
      if (!found) yield { ...accountIn({ id }, 'account', ['id'], { parentId, roots: [root] })!, status: 'NOT_ENABLED' }
    }
  }
}

const clientsOf = (read: AccountsSource['read'], customer: string, headers: Record<string, string>) =>
  paged('', async (pageToken: string) => {
    const json = { query: CLIENTS, ...(pageToken && { pageToken }) }
    const body = await read({ method: 'POST', url: `${customer}/googleAds:search`, headers, json }, [
      'account_closed',
      'account_unreachable',
    ])
    return { items: listAt(body, 'results').map((row) => valueAt(row, 'customerClient')), next: textAt(body, 'nextPageToken') }
  })
