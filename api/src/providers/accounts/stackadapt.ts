import { listAt, textAt, valueAt } from '../answer.ts'
import { apiOf } from '../stackadapt.ts'
import { accountIn, type ListAccounts, paged } from './list.ts'

const QUERY = `query($after:String){ tokenInfo { scopesByAdvertiser(first:100, after:$after)
  { nodes { advertiser { id name } scopes } pageInfo { hasNextPage endCursor } } } account { id currency } }`

/** The advertisers that the key is good for. */
export const listStackadapt: ListAccounts = async function* ({ session, credential, settings, read }) {
  let currency: string | null = null
  const pages = paged<string | undefined>('', async (after) => {
    const body = await read({
      method: 'POST',
      url: apiOf(session, settings),
      headers: { Authorization: `Bearer ${credential.fields.apiKey}` },
      json: { query: QUERY, variables: { after: after || null } },
    })
    currency = textAt(body, 'data', 'account', 'currency')
    const found = valueAt(body, 'data', 'tokenInfo', 'scopesByAdvertiser')
    const more = valueAt(found, 'pageInfo', 'hasNextPage') === true
    return { items: listAt(found, 'nodes'), next: more ? textAt(found, 'pageInfo', 'endCursor') : null }
  })
  for await (const one of pages) {
    const advertiser = accountIn(one, 'advertiser', ['advertiser', 'id'], { name: ['advertiser', 'name'] })
    if (advertiser) yield { ...advertiser, currency }
  }
}
