import { listAt, textAt } from '../answer.ts'
import { bearer } from '../provider.ts'
import { accountIn, type ListAccounts, paged } from './list.ts'

const PAGE = 1000

/** The accounts that the user reaches, below their customers. Pages are numbered; an empty one is the end. */
export const listMicrosoftAds: ListAccounts = async function* ({ session, credential, read }) {
  const ask = (operation: string, json: object) =>
    read({
      method: 'POST',
      url: `${session.hosts.api}/CustomerManagement/${session.version}/${operation}`,
      headers: {
        ...bearer(credential),
        DeveloperToken: session.app.developerToken ?? '',
        ...(credential.fields.identityProvider === 'google' && { IdentityProvider: 'Google' }),
      },
      json,
    })
  const user = textAt(await ask('User/Query', { UserId: null }), 'User', 'Id')
  const pages = paged(0, async (Index: number) => {
    const Predicates = [{ Field: 'UserId', Operator: 'Equals', Value: user }]
    const items = listAt(await ask('Accounts/Search', { PageInfo: { Index, Size: PAGE }, Predicates }), 'Accounts')
    return { items, next: items.length ? Index + 1 : null }
  })
  for await (const one of pages) {
    const customer = accountIn(one, 'customer', ['ParentCustomerId'])
    if (customer) yield customer
    const account = accountIn(one, 'account', ['Id'], {
      name: ['Name'],
      currency: ['CurrencyCode'],
      timeZone: ['TimeZone'],
      status: ['AccountLifeCycleStatus'],
      parentId: customer?.id ?? null,
    })
    if (account) yield account
  }
}
