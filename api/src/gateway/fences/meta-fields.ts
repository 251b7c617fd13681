import { UNREADABLE } from '../json-shape.ts'
import type { Place } from '../named-values.ts'
import { queryNames, textsIn, type VendorRequest } from '../vendor-request.ts'

/** Expansions that stay within an account. `account{…}` does not: it leads to the business and its other accounts. */
const INSIDE = new Set(
  `campaign campaigns adset adsets ad ads adcreatives creative insights adlabels adimages advideos targeting promoted_object
  delivery_estimate previews activities customaudiences saved_audiences adspixels issues_info recommendations budget_schedules`.split(
    /\s+/,
  ),
)

/** Nobody asks deeper: an account has campaigns, ad sets, ads, creatives and their insights. */
const DEEPEST = 8

/** Of all lists of fields in one call: nobody asks for so many. */
const MOST_LETTERS = 1 << 16

/** What stands in its brackets has no round one: whoever minds quotes and whoever does not see the same end. */
const MODIFIER =
  /\.(?:(?:limit|after|before|order|summary|date_preset|since|until|as)\([^(){}'"\\]*\)|(?:time_range|filtering)\((?:[^'"()\\]|'[^'"()\\]*'|"[^'"()\\]*")*\))/y
const NAME = /\w+/y
const OPEN = /\{|\.(?:fields|subfields)\(/y

/** Does every `fields` of a call stay within the account? What cannot be read does not. */
export function areFieldsInside({ query, body }: VendorRequest): boolean {
  const asked = query.length ? queryNames(query) : undefined
  if (asked === UNREADABLE) return false
  const all = [asked, 'names' in body ? body.names : undefined].flatMap((names) => names ?? [])
  const letters = all.flatMap(({ lasts }) => (lasts.get('fields') ?? []).flatMap(textsIn)).reduce((sum, { length }) => sum + length, 0)
  if (letters > MOST_LETTERS) return false
  return all.every(({ lasts, texts }) => (lasts.get('fields') ?? []).every((place) => isPlaceInside(place, texts)))
}

/** A list may be one of JSON, or JSON in a text. */
const isPlaceInside = ({ values }: Place, read: ReadonlyMap<string, unknown>): boolean =>
  values.every((value) =>
    typeof value === 'string'
      ? read.get(value) !== undefined || isInside(value)
      : Array.isArray(value) && value.every((item) => typeof item === 'string' && isInside(item)),
  )

/** `name,campaigns.limit(5){name,insights{spend}}`: lists of names, with modifiers, and more of them in brackets only behind those above. */
export function isInside(fields: string): boolean {
  const text = fields.replace(/\s+/g, '')
  if (text === '') return true
  const open: string[] = []
  let at = 0
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const [found] = pattern.exec(text) ?? []
    at += found?.length ?? 0
    return found
  }
  for (;;) {
    const name = take(NAME)
    if (name === undefined) return false
    while (take(MODIFIER));
    const opened = take(OPEN)
    if (opened) {
      if (!INSIDE.has(name) || open.push(opened === '{' ? '}' : ')') > DEEPEST) return false
      continue
    }
    while (open.length && text[at] === open.at(-1)) {
      open.pop()
      at++
    }
    if (at === text.length) return open.length === 0
    if (text[at++] !== ',') return false
  }
}
