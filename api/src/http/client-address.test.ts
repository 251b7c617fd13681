import { describe, expect, it } from 'vitest'
import { addressBucket, clientAddress, networkOf } from './client-address.ts'

describe('what limits count', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['::FFFF:10.0.0.1', '10.0.0.1'],
    ['::ffff:0a00:0001', '10.0.0.1'],
    ['0:0:0:0:0:ffff:10.0.0.1', '10.0.0.1'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:DB8:0:0::1', '2001:db8:0:0::/64'],
    ['2001:0db8:0000:0000:ffff:ffff:ffff:ffff', '2001:db8:0:0::/64'],
    ['2001:db8::192.0.2.1', '2001:db8:0:0::/64'],
    ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
  ])('of %s is %s', (address, bucket) => {
    expect(addressBucket(address)).toBe(bucket)
  })
})

describe('the network of', () => {
  it.each([
    ['2001:db8:12:34:5678::1', '2001:db8:12::/48'],
    ['2001:DB8:12:ffff::', '2001:db8:12::/48'],
    ['2001:db8:13::1', '2001:db8:13::/48'],
    ['2001:db8::1', '2001:db8:0::/48'],
    ['::1', '0:0:0::/48'],
    ['10.0.0.1', undefined],
    ['::ffff:10.0.0.1', undefined],
    ['', undefined],
  ])('%s is %s', (address, network) => expect(networkOf(addressBucket(address))).toBe(network))
})

describe('the client’s address', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8::1', '2001:db8::1'],
  ])('%s, as a proxy names it, is %s', (named, address) => {
    expect(clientAddress(named, '10.0.0.1')).toBe(address)
  })

  it.each(['unknown', '203.0.113.9:5123', '', '<script>', 'a'.repeat(5000)])('is the proxy’s own where it names %s', (named) => {
    expect(clientAddress(named, '::ffff:10.0.0.1')).toBe('10.0.0.1')
  })
})
