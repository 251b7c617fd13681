import { listAt } from '../answer.ts'
import { bearer } from '../provider.ts'
import { accountIn, type ListAccounts } from './list.ts'

/** Every network of the login; the list has no pages. */
export const listGoogleAdManager: ListAccounts = async function* ({ session, credential, read }) {
  const body = await read({ method: 'GET', url: `${session.hosts.api}/${session.version}/networks`, headers: bearer(credential) })
  for (const one of listAt(body, 'networks')) {
    const network = accountIn(one, 'network', ['networkCode'], {
      name: ['displayName'],
      currency: ['currencyCode'],
      timeZone: ['timeZone'],
    })
    if (network) yield network
  }
}
