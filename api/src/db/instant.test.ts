import pg from 'pg'
import { expect, test } from 'vitest'
import { instant } from './instant.ts'

const theirs: (text: string) => Date = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)

test.each([
  '2026-01-31 12:00:00+00',
  '2026-01-31 12:00:00.1+00',
  '2026-01-31 12:00:00.12+00',
  '2026-01-31 12:00:00.123+00',
  '2026-01-31 12:00:00.1239+00',
  '2026-01-31 12:00:00.123999+00',
  '2024-02-29 23:59:59.000001+00',
  '0001-01-01 00:00:00+00',
  '9999-12-31 23:59:59.999999+00',
  '2026-01-31 17:30:00.5+05:30',
  '12026-01-31 12:00:00+00',
  '0044-03-15 12:00:00+00 BC',
])('%s is the time that pg reads, and is written as any time is', (text) => {
  const read = instant(text)
  const plain = new Date(theirs(text).getTime())
  expect(read.getTime()).toBe(plain.getTime())
  expect(read.toISOString()).toBe(plain.toISOString())
  expect(JSON.stringify({ read })).toBe(JSON.stringify({ read: plain }))
})
