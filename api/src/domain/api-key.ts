import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** `adj_`, 43 random base62 characters (256 bits), and a checksum of six: typos are refused without a query, scanners match exactly. */
export const KEY_PREFIX = 'adj_'
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const FORMAT = /^adj_[0-9A-Za-z]{49}$/
const SECRET_LENGTH = 43

export function newApiKey(): string {
  const secret = Array.from({ length: SECRET_LENGTH }, () => ALPHABET[randomInt(62)]).join('')
  return `${KEY_PREFIX}${secret}${checksum(secret)}`
}

export const isWellFormedKey = (key: string): boolean =>
  FORMAT.test(key) && checksum(key.slice(KEY_PREFIX.length, KEY_PREFIX.length + SECRET_LENGTH)) === key.slice(-6)

/** What is shown of a key. */
export const displayPrefix = (key: string): string => key.slice(0, 15)

function checksum(secret: string): string {
  let rest = crc32(secret)
  let text = ''
  for (let i = 0; i < 6; i++) {
    text = ALPHABET[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}
