import { listAt, textAt } from '../answer.ts'
import { bearer } from '../provider.ts'
import { accountIn, type ListAccounts } from './list.ts'

/** The profiles of the user, each of one account or subaccount: it is the profile that every call names. */
export const listCampaignManager360: ListAccounts = async function* ({ session, credential, read }) {
  const url = `${session.hosts.api}/dfareporting/${session.version}/userprofiles`
  const body = await read({ method: 'GET', url, headers: bearer(credential) })
  for (const one of listAt(body, 'items')) {
    const profile = accountIn(one, 'profile', ['profileId'], { name: ['accountName'] })
    const below = textAt(one, 'subAccountName')
    if (profile) yield below ? { ...profile, name: `${profile.name} / ${below}` } : profile
  }
}
