import { expect, it } from 'vitest'
import { canonicalMailbox } from './email.ts'

it.each([
  ['ada@agency.example', 'ada@agency.example', 'as it is'],
  ['ada+1@agency.example', 'ada@agency.example', 'a tag'],
  ['ada+a+b@agency.example', 'ada@agency.example', 'two tags'],
  ['ada+@agency.example', 'ada@agency.example', 'an empty tag'],
  ['a.da+x@agency.example', 'a.da@agency.example', 'dots are letters like others'],
  ['+tag@agency.example', '+tag@agency.example', 'nothing before the tag'],
  ['++x@agency.example', '+@agency.example', 'a plus sign before the tag'],
  ['a.d.a+x@gmail.com', 'ada@gmail.com', 'Google reads no dots'],
  ['a.da@googlemail.com', 'ada@googlemail.com', 'under its other name too'],
  ['a.da@mail.gmail.com', 'a.da@mail.gmail.com', 'but no host below'],
  ['ada-1@agency.example', 'ada-1@agency.example', 'a dash is no tag'],
])('%s is the mailbox %s: %s', (email, mailbox) => {
  expect(canonicalMailbox(email)).toBe(mailbox)
})
