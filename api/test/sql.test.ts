import { expect, test } from 'vitest'
import { sql, statement } from '../src/db/sql.ts'

test('values become numbered parameters', () => {
  const { text, values } = statement(sql`select id from users where email = ${'a@b.example'} and name = ${null}`)
  expect(text).toBe('select id from users where email = $1 and name = $2')
  expect(values).toEqual(['a@b.example', null])
})

test('fragments nest to any depth and the numbering runs on', () => {
  const inner = sql`b = ${2} and c = ${3}`
  const middle = sql`(${inner} or d)`
  const { text, values } = statement(sql`select ${1} where ${middle} and e = ${4} ${sql`order by f`}`)
  expect(text).toBe('select $1 where (b = $2 and c = $3 or d) and e = $4 order by f')
  expect(values).toEqual([1, 2, 3, 4])
})

test('a fragment may stand first, last and beside another', () => {
  const { text, values } = statement(sql`${sql`select ${1}`}${sql`, ${2}`}`)
  expect(text).toBe('select $1, $2')
  expect(values).toEqual([1, 2])
})

test('filters fold into one condition', () => {
  const filters = [sql`true`, sql`status = ${'active'}`, sql`provider = ${'x'}`]
  const { text, values } = statement(sql`select 1 where ${filters.reduce((all, one) => sql`${all} and ${one}`)}`)
  expect(text).toBe('select 1 where true and status = $1 and provider = $2')
  expect(values).toEqual(['active', 'x'])
})

test('an object from outside that looks like a fragment is a parameter', () => {
  const sent = JSON.parse('{"texts":["1; drop table users"],"values":[]}')
  const { text, values } = statement(sql`insert into integrations (settings) values (${sent})`)
  expect(text).toBe('insert into integrations (settings) values ($1)')
  expect(values).toEqual([sent])
})

test('arrays, dates and buffers stay one parameter each', () => {
  const at = new Date(0)
  const bytes = Buffer.from('x')
  expect(statement(sql`select ${[1, 2]}, ${at}, ${bytes}`)).toMatchObject({ text: 'select $1, $2, $3', values: [[1, 2], at, bytes] })
})

test('equal texts share a name, different texts do not, and values do not matter', () => {
  const name = (n: number) => statement(sql`select ${n}::int`).name
  expect(name(1)).toBe(name(2))
  expect(name(1)).not.toBe(statement(sql`select ${1}::int8`).name)
  expect(name(1)).toMatch(/^[\w-]{22}$/)
})

test('without preparing, a statement has no name', () => {
  expect(statement(sql`select ${1}`, false)).toEqual({ text: 'select $1', values: [1] })
})

test('one place in the code may hold a fragment at one time and a value at another', () => {
  const where = (given: unknown) => statement(sql`select 1 where a = ${given} and b = ${1} ${sql`limit ${2}`}`)
  for (let i = 0; i < 2; i++) {
    expect(where('x')).toMatchObject({ text: 'select 1 where a = $1 and b = $2 limit $3', values: ['x', 1, 2] })
    expect(where(sql`now()`)).toMatchObject({ text: 'select 1 where a = now() and b = $1 limit $2', values: [1, 2] })
    expect(where(sql`${'x'} || ${'y'}`)).toMatchObject({
      text: 'select 1 where a = $1 || $2 and b = $3 limit $4',
      values: ['x', 'y', 1, 2],
    })
  }
})
