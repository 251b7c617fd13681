import { isIPv6 } from 'node:net'

/** `::ffff:10.0.0.1` is 10.0.0.1 in another spelling. */
export const plainAddress = (ip: string): string => (/^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(ip) ? ip.slice(7) : ip)

/** What limits count: an IPv4 address, or the /64 of an IPv6 one, since whoever has one address of it has them all. */
export function addressBucket(ip: string): string {
  const address = plainAddress(ip)
  return isIPv6(address) ? `${groups(address).slice(0, 4).join(':')}::/64` : address
}

/** The eight groups in one spelling: `2001:DB8::1` and `2001:db8:0:0::1` are the same address. */
function groups(address: string): string[] {
  const [head = '', tail] = address.replace(/%.*$/, '').toLowerCase().split('::')
  const left = head ? head.split(':') : []
  const right = tail ? tail.split(':') : []
  const middle = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  return [...left, ...middle, ...right].map((group) => group.replace(/^0+(?=.)/, ''))
}
