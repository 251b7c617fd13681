const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeStyle: 'medium' })
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const relative = new Intl.RelativeTimeFormat('en')

const MINUTE = 60_000

export const exactTime = (iso: string): string => full.format(new Date(iso))
export const date = (iso: string): string => day.format(new Date(iso))

/** `2026-11-15T20:01` in the local time zone: what an input of type `datetime-local` takes. */
export const localMinute = (at: number): string => new Date(at - new Date(at).getTimezoneOffset() * MINUTE).toISOString().slice(0, 16)

/** `5 minutes ago`, `in 48 hours`, `in 7 days`, to the nearest one; from a month on, the date says more. */
export function fromNow(iso: string, now = Date.now()): string {
  const minutes = Math.round((new Date(iso).getTime() - now) / MINUTE)
  const [hours, days] = [Math.round(minutes / 60), Math.round(minutes / 1440)]
  if (minutes === 0) return new Date(iso).getTime() > now ? 'in a moment' : 'just now'
  if (Math.abs(minutes) < 60) return relative.format(minutes, 'minute')
  if (hours > -24 && hours <= 48) return relative.format(hours, 'hour')
  return Math.abs(days) <= 30 ? relative.format(days, 'day') : date(iso)
}

/** `Ada’s Agency GmbH` → `adas-agency-gmbh` */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/ß/g, 'ss')
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63)
    .replace(/-+$/, '')

/** `creatorEmail`, `creator_email` → `Creator email`; `api_key` → `API key` */
export const spoken = (word: string): string => {
  const words = word
    .replaceAll('_', ' ')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replace(/\b(api|id|ip|url)\b/g, (letters) => letters.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}
export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

const browsers: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/adjoin/i, 'Adjoin command line'],
  [/curl\//, 'curl'],
]
const systems: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'macOS'],
  [/Linux/, 'Linux'],
]

/** `Firefox on Linux`: enough to recognize one's own machine by. */
export function browserOf(userAgent: string | null): string {
  if (!userAgent) return 'Unknown program'
  const find = (table: [RegExp, string][]) => table.find(([pattern]) => pattern.test(userAgent))?.[1]
  const [browser, system] = [find(browsers), find(systems)]
  return browser && system ? `${browser} on ${system}` : (browser ?? userAgent.slice(0, 60))
}
