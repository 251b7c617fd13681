import { listAt, textAt, valueAt } from '../answer.ts'
import { bearer } from '../provider.ts'
import { accountIn, type ListAccounts, paged, parameterOf } from './list.ts'

/** The organizations of the person, and the ad accounts of each. */
export const listSnapchatAds: ListAccounts = async function* ({ session, credential, read }) {
  const base = `${session.hosts.api}/${session.version}`
  const headers = bearer(credential)
  const mine = await read({ method: 'GET', url: `${base}/me/organizations`, headers })
  for (const item of listAt(mine, 'organizations')) {
    const organization = accountIn(valueAt(item, 'organization'), 'organization', ['id'], { name: ['name'] })
    if (!organization) continue
    yield organization
    const pages = paged('', async (cursor: string) => {
      const url = `${base}/organizations/${encodeURIComponent(organization.id)}/adaccounts`
      const body = await read({ method: 'GET', url, query: { limit: '50', ...(cursor && { cursor }) }, headers })
      const items = listAt(body, 'adaccounts').map((one) => valueAt(one, 'adaccount'))
      return { items, next: parameterOf(textAt(body, 'paging', 'next_link'), 'cursor') }
    })
    for await (const one of pages) {
      const fields = { name: ['name'], currency: ['currency'], timeZone: ['timezone'], status: ['status'] }
      const account = accountIn(one, 'account', ['id'], { ...fields, parentId: organization.id })
      if (account) yield account
    }
  }
}
