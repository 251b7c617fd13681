// How the text of a setting is read. Undefined: it is not what was expected.
import { isIP } from 'node:net'

const HOST = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i

export const wholeNumber = (min: number, max: number) => (text: string) =>
  /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined

export const machineOf = (text: string) => (isIP(text) || HOST.test(text) ? text : undefined)

export const bool = (text: string) => (text === 'true' ? true : text === 'false' ? false : undefined)

/** `name=value,name=value`, with what is special in a value percent-encoded, as OpenTelemetry has it. */
export function pairsOf(text: string): Record<string, string> | undefined {
  const pairs = text.split(',').map((pair) => /^\s*([\w-]+)\s*=([^=,]*(?:=*))$/.exec(pair))
  try {
    return Object.fromEntries(pairs.map((pair) => [pair![1]!.toLowerCase(), decodeURIComponent(pair![2]!.trim())]))
  } catch {
    return undefined
  }
}

/** Exactly an origin: nothing that a lenient reader would cut off. */
export function originOf(text: string): string | undefined {
  if (!URL.canParse(text) || text.includes('*')) return undefined
  const url = new URL(text)
  return /^https?:$/.test(url.protocol) && (text === url.origin || text === `${url.origin}/`) ? url.origin : undefined
}

export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  return version > 0 && !rest.length && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
}

/** As security.txt writes it. */
export function contactOf(text: string): string | undefined {
  const address = text.replace(/^mailto:/i, '')
  if (/^[^\s<>@:/?#]+@[^\s<>@:/?#]+$/u.test(address)) return `mailto:${address}`
  return /^https:\/\/[^\s@]+$/i.test(text) && URL.canParse(text) ? text : undefined
}
