import { listAt, textAt, valueAt } from '../answer.ts'
import { accountIn, type ListAccounts, paged } from './list.ts'

const PAGE = 100
const FIELDS = { name: ['name'], timeZone: ['timezone'], status: ['state'] }

/** The member, and the publishers below it. The key is singular for one object and plural for many. */
export const listXandr: ListAccounts = async function* ({ session, credential, read }) {
  const headers = { Authorization: credential.accessToken ?? '' }
  const found = await read({ method: 'GET', url: `${session.hosts.api}/member`, headers })
  const member = accountIn(valueAt(found, 'response', 'member'), 'member', ['id'], { ...FIELDS, currency: ['default_currency'] })
  if (member) yield member
  const pages = paged(0, async (start: number) => {
    const query = { start_element: String(start), num_elements: String(PAGE) }
    const body = await read({ method: 'GET', url: `${session.hosts.api}/publisher`, query, headers }, ['permission_missing'])
    const one = valueAt(body, 'response', 'publisher')
    const items = one ? [one] : listAt(body, 'response', 'publishers')
    const end = start + items.length
    return { items, next: items.length && end < Number(textAt(body, 'response', 'count') ?? 0) ? end : null }
  })
  for await (const one of pages) {
    const fields = { ...FIELDS, currency: ['currency'], parentId: textAt(one, 'member_id') ?? member?.id ?? null }
    const publisher = accountIn(one, 'publisher', ['id'], fields)
    if (publisher) yield publisher
  }
}
