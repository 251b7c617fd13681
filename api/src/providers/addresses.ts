/**
 * Which network addresses an outgoing call may go to:
 * public ones only, checked after the one and only name lookup.
 */
import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

export type Address = { address: string; family: number }
export type Resolve = (host: string) => Promise<Address[]>

const closed = new BlockList()
// IANA's special-purpose registry: this host, private, shared, loopback,
// link-local, protocol, documentation, AS112, relay, benchmark, multicast, reserved.
for (const range of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24'],
  ...[
    '192.31.196.0/24',
    '192.52.193.0/24',
    '192.175.48.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/4',
    '240.0.0.0/4',
  ],
  // Public by number, but private to a cloud: Azure's agent for its machines, and services of IBM's.
  ...['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14'],
])
  closed.addSubnet(range.split('/')[0]!, Number(range.split('/')[1]), 'ipv4')
for (const range of ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3ffe::/16', '3fff::/20'])
  closed.addSubnet(range.split('/')[0]!, Number(range.split('/')[1]), 'ipv6')

// Of IPv6 only global unicast: this leaves out loopback,
// mapped and translated IPv4, unique local, link-local and multicast at once.
const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')

export function isPublic(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !closed.check(address, 'ipv4')
  // A zone (fe80::1%eth0) is only ever local.
  return family === 6 && !address.includes('%') && globalUnicast.check(address, 'ipv6') && !closed.check(address, 'ipv6')
}

export const resolveName: Resolve = (host) => lookup(host, { all: true })

/**
 * The addresses to connect to, or null when any of them is not public:
 * a name that answers both ways is not to be trusted.
 */
export async function publicAddresses(host: string, resolve: Resolve): Promise<Address[] | null> {
  const literal = host.replace(/^\[|\]$/g, '')
  const found = isIP(literal) ? [{ address: literal, family: isIP(literal) }] : await resolve(host)
  return found.length > 0 && found.every(({ address }) => isPublic(address)) ? found : null
}
