/**
 * One spelling per mailbox, decided before anything is compared, limited or stored:
 * full-width and compatibility characters become plain ones,
 * case and the trailing dot go, an international domain becomes its ASCII form.
 * Null where the result is not an address we can mail: what is validated is the value that is used.
 */
export function normalizeEmail(input: string): string | null {
  if (input.length > LONGEST) return null
  const parts = input.normalize('NFKC').trim().toLowerCase().split('@')
  const [local, spelled] = parts
  if (parts.length !== 2 || !local || !spelled) return null
  const domain = normalizeDomain(spelled)
  return domain && LOCAL.test(local) && local.length <= 64 ? `${local}@${domain}` : null
}

/** `BÜCHER.example.` → `xn--bcher-kva.example`; null where it is no public host name. */
export function normalizeDomain(input: string): string | null {
  if (input.length > LONGEST) return null
  // The ideographic full stops are dots to a resolver, so they are dots to us.
  const spelled = input
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[。．｡]/g, '.')
    .replace(/\.$/, '')
  if (/[^\p{L}\p{N}\p{M}.-]/u.test(spelled)) return null
  try {
    const { hostname } = new URL(`http://${spelled}`)
    return HOST.test(hostname) && hostname.length <= 253 ? hostname : null
  } catch {
    return null
  }
}

/** No address is longer, in any spelling; normalizing a text of marks takes quadratic time. */
const LONGEST = 1024

export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1)

/**
 * One mailbox, whatever tag its address is written with: `ada+news@agency.example` → `ada@agency.example`;
 * dots count everywhere but at Google, and some services give each mailbox several domains. For limits, and to remember who was removed:
 * never to decide who someone is, whom to mail, or whom an invitation is for.
 */
export function canonicalMailbox(email: string): string {
  const domain = domainOf(email)
  const local = email.slice(0, -domain.length - 1).replace(/(.)\+.*$/, '$1')
  const first = FIRST_DOMAIN.get(domain) ?? domain
  return `${first === 'gmail.com' ? local.replaceAll('.', '') : local}@${first}`
}

/** The domains under which a service delivers to the same mailbox, the first one first. */
export const sameMailbox = [
  ['gmail.com', 'googlemail.com'],
  ['icloud.com', 'me.com', 'mac.com'],
  ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'],
  ['yandex.ru', 'yandex.com', 'yandex.by', 'yandex.kz', 'yandex.ua', 'yandex.com.tr', 'ya.ru'],
] as const
const FIRST_DOMAIN: ReadonlyMap<string, string> = new Map(sameMailbox.flatMap(([first, ...rest]) => rest.map((other) => [other, first])))

/** `ada@agency.example` → `a•••@agency.example`: enough to recognize one's own, not to learn another's. */
export const maskEmail = (email: string): string => `${email.slice(0, 1)}•••@${domainOf(email)}`

const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
// The last label has a letter: an address such as 10.0.0.1 is no mail domain.
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?=[a-z0-9-]*[a-z])[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
