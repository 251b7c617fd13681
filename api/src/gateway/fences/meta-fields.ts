import type { VendorRequest } from '../vendor-request.ts'

/** Expansions that stay within an account. `account{…}` does not: it leads to the business and its other accounts. */
const INSIDE = new Set(
  `campaign campaigns adset adsets ad ads adcreatives creative insights adlabels adimages advideos targeting promoted_object
  delivery_estimate previews activities customaudiences saved_audiences adspixels issues_info recommendations budget_schedules`.split(
    /\s+/,
  ),
)

/** Does every `fields` of a call stay within the account? What cannot be read does not. */
export function areFieldsInside({ query, body }: VendorRequest): boolean {
  const sent = [...query, ...('entries' in body ? body.entries : [])]
  return sent.filter(([name]) => name.split('.').at(-1)!.toLowerCase() === 'fields').every(([, value]) => isInside(value))
}

/** `name,campaigns.limit(5){name,insights{spend}}`: lists of names, with modifiers, and braces only behind those above. */
export function isInside(fields: string): boolean {
  const text = fields.replace(/\s+/g, '')
  let at = 0
  const take = (pattern: RegExp): string | undefined => {
    const [found] = pattern.exec(text.slice(at)) ?? []
    if (found === undefined) return undefined
    at += found.length
    return found
  }
  const list = (): boolean => {
    for (;;) {
      const name = take(/^\w+/)
      if (name === undefined) return false
      while (take(/^\.\w+\([^(){}]*\)/));
      if (take(/^\{/) && (!INSIDE.has(name) || !list() || !take(/^\}/))) return false
      if (!take(/^,/)) return true
    }
  }
  return text === '' || (list() && at === text.length)
}
