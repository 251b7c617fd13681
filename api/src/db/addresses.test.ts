import { expect, it } from 'vitest'
import { parseAddresses } from './addresses.ts'

it('takes one host as it is written', () => {
  const url = 'postgres://u:p@a/d?sslmode=disable'
  expect(parseAddresses(url)).toEqual({ urls: [url] })
})

it('gives each of several hosts an address of its own', () => {
  expect(parseAddresses('postgres://u:p%40@a:5432,[::1]:5433,c/d?target_session_attrs=read-write&sslmode=disable')).toEqual({
    urls: [
      'postgres://u:p%40@a:5432/d?sslmode=disable',
      'postgres://u:p%40@[::1]:5433/d?sslmode=disable',
      'postgres://u:p%40@c/d?sslmode=disable',
    ],
    wanted: 'read-write',
  })
  expect(parseAddresses('postgres://a/d?target_session_attrs=primary')).toEqual({ urls: ['postgres://a/d'], wanted: 'primary' })
})

it.each([
  ['postgres://u:secret@a,b/d', 'add ?target_session_attrs=read-write'],
  ['postgres://u:secret@a,b/d?target_session_attrs=any', 'must be read-write or primary'],
  ['postgres://u:secret@a/d?target_session_attrs=readwrite', 'must be read-write or primary'],
  ['postgres://u:secret@a,b?target_session_attrs=read-write', 'the name of the database is missing'],
  ['postgres://u:secret@a,b/?target_session_attrs=read-write', 'the name of the database is missing'],
  ['postgres://u:secret@a,,b/d?target_session_attrs=read-write', 'host 2 of 3 is empty'],
  ['postgres://u:secret@a,:5432/d?target_session_attrs=read-write', 'host 2 of 2 is empty'],
  ['postgres://u:secret@a:x,b/d?target_session_attrs=read-write', 'host 1 of 2 is not a host name with a port'],
  ['postgres://u:secret@a,b:0/d?target_session_attrs=read-write', 'host 2 of 2 is not a host name with a port'],
])('says what to write instead of %s, and not the password', (url, says) => {
  expect(() => parseAddresses(url)).toThrow(says)
  expect(() => parseAddresses(url)).not.toThrow('u:secret')
})
