// Many secrets, each in every spelling it might leak in, looked for in one pass over any number of bytes.

export interface Needle {
  readonly what: string
  readonly form: string
  readonly bytes: Buffer
}
export interface Hit {
  readonly what: string
  readonly form: string
  readonly at: number
}

/** Shorter ones would be found by chance. */
const SHORTEST = 10
const MASK = (1 << 20) - 1

const each = (text: string, spell: (code: number) => string) => [...Buffer.from(text)].map(spell).join('')
const hex = (code: number) => code.toString(16).padStart(2, '0')

/**
 * The spellings of a secret. In base64 it depends on how many bytes stand before it:
 * three ways, without what neighbours change.
 */
export function formsOf(text: string): [form: string, bytes: Buffer][] {
  const bytes = Buffer.from(text)
  const aligned = [0, 1, 2].flatMap((before): [string, Buffer][] => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
    const from = Math.ceil((before * 8) / 6)
    const to = Math.floor((whole.length * 8) / 6)
    const part = whole.toString('base64').slice(from, to)
    const url = part.replaceAll('+', '-').replaceAll('/', '_')
    return [
      [`base64 at ${before}`, Buffer.from(part)],
      ...(url === part ? [] : [[`base64url at ${before}`, Buffer.from(url)] as [string, Buffer]]),
    ]
  })
  return [
    ['plain', bytes],
    ...aligned,
    ['hex', Buffer.from(bytes.toString('hex'))],
    ['HEX', Buffer.from(bytes.toString('hex').toUpperCase())],
    ['percent-encoded', Buffer.from(each(text, (code) => `%${hex(code)}`))],
    ['PERCENT-ENCODED', Buffer.from(each(text, (code) => `%${hex(code).toUpperCase()}`))],
    ...(encodeURIComponent(text) === text ? [] : [['in an address', Buffer.from(encodeURIComponent(text))] as [string, Buffer]]),
    ['escaped in JSON', Buffer.from(each(text, (code) => `\\u00${hex(code)}`))],
    ['UTF-16', Buffer.from(text, 'utf16le')],
  ]
}

export function createSearch(secrets: readonly { what: string; text: string }[]) {
  const needles = secrets.flatMap(({ what, text }) =>
    formsOf(text).flatMap(([form, bytes]): Needle[] => (bytes.length < SHORTEST ? [] : [{ what, form, bytes }])),
  )
  // By their first four bytes: a bit says whether it is worth looking closer.
  const starts = new Map<number, Needle[]>()
  const worth = new Uint8Array(MASK + 1)
  for (const needle of needles) {
    const start = needle.bytes.readUInt32BE(0)
    starts.set(start, [...(starts.get(start) ?? []), needle])
    worth[mixed(start)] = 1
  }

  const find = (haystack: Buffer): Hit[] => {
    const hits: Hit[] = []
    let window = 0
    for (let i = 0; i < haystack.length; i++) {
      window = ((window << 8) | haystack[i]!) >>> 0
      if (i < 3 || !worth[mixed(window)]) continue
      for (const { what, form, bytes } of starts.get(window) ?? [])
        if (haystack.subarray(i - 3, i - 3 + bytes.length).equals(bytes)) hits.push({ what, form, at: i - 3 })
    }
    return hits
  }
  return {
    find: (haystack: string | Buffer) => find(typeof haystack === 'string' ? Buffer.from(haystack) : haystack),
    count: needles.length,
  }
}

const mixed = (start: number) => (Math.imul(start, 0x9e3779b1) >>> 12) & MASK
