import { isIP, isIPv6 } from 'node:net'

/**
 * Whom a trusted proxy names, or the proxy itself where it names no address:
 * whatever else it passes on was the client's to choose.
 */
export const clientAddress = (named: string, peer: string | undefined): string => plainAddress(isIP(named) ? named : (peer ?? ''))

/**
 * What limits count: an IPv4 address, or the /64 of an IPv6 one,
 * since whoever has one address of it has them all.
 */
export function addressBucket(ip: string): string {
  const address = plainAddress(ip)
  return isIPv6(address) ? `${groups(address).slice(0, 4).join(':')}::/64` : address
}

/** How many times the limit of one address a /48 may use: it is what one customer of a network gets, with 65,536 times a /64 in it. */
export const NETWORK_TIMES = 8

/** The /48 that a bucket is in; undefined for IPv4. */
export const networkOf = (bucket: string): string | undefined =>
  bucket.endsWith('::/64') ? `${bucket.split(':', 3).join(':')}::/48` : undefined

/** `::ffff:10.0.0.1` is 10.0.0.1 in another spelling, and so is `::ffff:a00:1`. */
function plainAddress(ip: string): string {
  if (!isIPv6(ip)) return ip
  const [high, low] = /^0:0:0:0:0:ffff:(\w+):(\w+)$/.exec(groups(ip).join(':'))?.slice(1) ?? []
  return high && low ? [high, low].flatMap(bytesOf).join('.') : ip
}

/** The eight groups in one spelling: `2001:DB8::1` and `2001:db8:0:0::1` are the same address. */
function groups(address: string): string[] {
  const [head = '', tail] = address
    .replace(/%.*$/, '')
    .replace(
      /(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/,
      (_, ...bytes) => `${groupOf(bytes[0], bytes[1])}:${groupOf(bytes[2], bytes[3])}`,
    )
    .toLowerCase()
    .split('::')
  const left = head ? head.split(':') : []
  const right = tail ? tail.split(':') : []
  const middle = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  return [...left, ...middle, ...right].map((group) => group.replace(/^0+(?=.)/, ''))
}

const groupOf = (high: string, low: string): string => (Number(high) * 256 + Number(low)).toString(16)
const bytesOf = (group: string): number[] => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]
