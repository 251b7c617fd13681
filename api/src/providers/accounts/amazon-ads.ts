import { apiOf } from '../amazon-ads.ts'
import { listAt, textAt } from '../answer.ts'
import { bearer } from '../provider.ts'
import { accountIn, type ListAccounts } from './list.ts'

/** The profiles of the region, and the managers that link them: these know the account ids that other calls use. */
export const listAmazonAds: ListAccounts = async function* ({ session, credential, read }) {
  const api = apiOf(session, credential.fields)
  const headers = { ...bearer(credential), 'Amazon-Advertising-API-ClientId': session.app.clientId ?? '' }
  const profiles = await read({ method: 'GET', url: `${api}/${session.version}/profiles`, query: { accessLevel: 'view' }, headers })
  const directory = await read({ method: 'GET', url: `${api}/managerAccounts`, headers }, ['permission_missing'])
  const parents = new Map<string, string>()
  const aliases = new Map<string, string[]>()
  for (const one of listAt(directory, 'managerAccounts')) {
    const manager = accountIn(one, 'manager', ['managerAccountId'], { name: ['managerAccountName'] })
    if (!manager) continue
    yield manager
    for (const linked of listAt(one, 'linkedAccounts')) {
      const profile = textAt(linked, 'profileId')
      if (!profile) continue
      parents.set(profile, manager.id)
      const others = [textAt(linked, 'accountId'), textAt(linked, 'dspAdvertiserId')].flatMap((id) => id ?? [])
      aliases.set(profile, [...(aliases.get(profile) ?? []), ...others])
    }
  }
  for (const one of listAt(profiles)) {
    const id = textAt(one, 'profileId') ?? ''
    const account = accountIn(one, 'profile', ['profileId'], {
      name: ['accountInfo', 'name'],
      currency: ['currencyCode'],
      timeZone: ['timezone'],
      parentId: parents.get(id) ?? null,
      aliases: aliases.get(id) ?? [],
    })
    // One advertiser has a profile, under the same name, in each country.
    if (account) yield { ...account, name: `${account.name} (${textAt(one, 'countryCode') ?? '?'})` }
  }
}
