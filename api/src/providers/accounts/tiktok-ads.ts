import { listAt, textAt } from '../answer.ts'
import { accountIn, type ListAccounts } from './list.ts'

const AT_ONCE = 100
const FIELDS = JSON.stringify(['advertiser_id', 'name', 'currency', 'timezone', 'status'])

/** The advertisers of the token, all at once; what is known of each is asked for by the hundred. */
export const listTiktokAds: ListAccounts = async function* ({ session, credential, read }) {
  const base = `${session.hosts.api}/open_api/${session.version}`
  const headers = { 'Access-Token': credential.accessToken ?? '' }
  const app = { app_id: session.app.clientId ?? '', secret: session.app.clientSecret ?? '' }
  const listed = await read({ method: 'GET', url: `${base}/oauth2/advertiser/get/`, query: app, headers })
  const advertisers = listAt(listed, 'data', 'list')
  for (let at = 0; at < advertisers.length; at += AT_ONCE) {
    const some = advertisers.slice(at, at + AT_ONCE)
    const query = { advertiser_ids: JSON.stringify(some.map((one) => textAt(one, 'advertiser_id'))), fields: FIELDS }
    const body = await read({ method: 'GET', url: `${base}/advertiser/info/`, query, headers }, ['permission_missing', 'account_closed'])
    const known = new Map(listAt(body, 'data', 'list').map((one) => [textAt(one, 'advertiser_id'), one]))
    for (const one of some) {
      const more = known.get(textAt(one, 'advertiser_id'))
      const account = accountIn({ ...(one as object), ...(more as object | undefined) }, 'advertiser', ['advertiser_id'], {
        name: more ? ['name'] : ['advertiser_name'],
        currency: ['currency'],
        timeZone: ['timezone'],
        status: ['status'],
      })
      if (account) yield account
    }
  }
}
