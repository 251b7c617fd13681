import { expect, it } from 'vitest'
import { canonicalMailbox, sameMailbox } from './email.ts'

it.each([
  ['ada@agency.example', 'ada@agency.example', 'as it is'],
  ['ada+1@agency.example', 'ada@agency.example', 'a tag'],
  ['ada+a+b@agency.example', 'ada@agency.example', 'two tags'],
  ['ada+@agency.example', 'ada@agency.example', 'an empty tag'],
  ['a.da+x@agency.example', 'a.da@agency.example', 'dots are letters like others'],
  ['+tag@agency.example', '+tag@agency.example', 'nothing before the tag'],
  ['++x@agency.example', '+@agency.example', 'a plus sign before the tag'],
  ['a.d.a+x@gmail.com', 'ada@gmail.com', 'Google reads no dots'],
  ['a.da@googlemail.com', 'ada@gmail.com', 'under its other name too'],
  ['a.d.a+x+y@googlemail.com', 'ada@gmail.com', 'with tags and dots'],
  ['a.da@mail.googlemail.com', 'a.da@mail.googlemail.com', 'nor below that'],
  ['a.da@notgooglemail.com', 'a.da@notgooglemail.com', 'nor beside it'],
  ['a.da@mail.gmail.com', 'a.da@mail.gmail.com', 'but no host below'],
  ['ada-1@agency.example', 'ada-1@agency.example', 'a dash is no tag'],
])('%s is the mailbox %s: %s', (email, mailbox) => {
  expect(canonicalMailbox(email)).toBe(mailbox)
})

it.each(sameMailbox)('%s has other names, and dots are letters everywhere but at Google', (first, ...others) => {
  const mailbox = canonicalMailbox(`a.da+x@${first}`)
  expect(mailbox).toBe(`${first === 'gmail.com' ? 'ada' : 'a.da'}@${first}`)
  expect(others.map((domain) => canonicalMailbox(`a.da+y@${domain}`))).toEqual(others.map(() => mailbox))
})
