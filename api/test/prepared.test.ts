// db/prepared.ts leans on what `pg` does not promise.
// Whoever upgrades the driver learns here, by name, what has moved.
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Statement, sendPrepared } from '../src/db/prepared.ts'

const MOVED = 'pg has moved this: make api/src/db/prepared.ts fit the new driver, or let pg prepare statements itself'

interface Internals {
  connection: { describe(message: object, more?: boolean): void }
}

let client: pg.Client
let described = 0
beforeAll(async () => {
  client = new pg.Client({ connectionString: `${inject('server')}/postgres` })
  await client.connect()
  const { connection } = client as unknown as Internals
  const describe = connection.describe.bind(connection)
  connection.describe = (...message) => {
    described++
    describe(...message)
  }
})
afterAll(() => client.end())

const send = (statement: Statement) =>
  new Promise<pg.QueryResult>((resolve, reject) =>
    sendPrepared(client, statement, (error, result) => (error ? reject(error) : resolve(result))),
  )

test.each(['prepare', 'handleRowDescription', 'handleDataRow', 'handleCommandComplete', 'handleError'])(
  'a query of pg has %s, which ours calls or overrides',
  (method) => expect((pg.Query.prototype as unknown as Record<string, unknown>)[method], MOVED).toBeTypeOf('function'),
)

test('a query of pg has the fields that ours reads and writes', async () => {
  const query = new pg.Query('select 1')
  const ended = new Promise((resolve) => query.on('end', resolve))
  client.query(query)
  await ended
  expect(query, MOVED).toHaveProperty('_result.addRow')
  expect(query, MOVED).toHaveProperty('_result._types.getTypeParser')
  expect(Object.keys(query), MOVED).toEqual(expect.arrayContaining(['name', '_canceledDueToError']))
})

test('a connection of pg sends what is asked while it waits, and has a stream that can hold bytes back', () => {
  const pipelined = new pg.Client({ pipeline: true } as pg.ClientConfig)
  expect(pipelined, MOVED).toHaveProperty('pipeline', true)
  expect((pipelined as unknown as { connection: { stream: object } }).connection.stream, MOVED).toHaveProperty('cork')
})

test('the shape of the rows is asked for once per connection, and the rows stay what they were', async () => {
  const statement = { name: 'shapes', text: 'select $1::int as n, $2::text as t, null::int as nothing, true as yes', values: [7, 'seven'] }
  const before = described
  const answers = [await send(statement), await send(statement), await send({ ...statement, values: [8, null] })]
  expect(described - before, MOVED).toBe(1)
  expect(answers.map(({ rows }) => rows[0])).toEqual([
    { n: 7, t: 'seven', nothing: null, yes: true },
    { n: 7, t: 'seven', nothing: null, yes: true },
    { n: 8, t: null, nothing: null, yes: true },
  ])
  expect(answers[2]!.rowCount).toBe(1)
})

test('a statement without rows, and one that fails, leave the connection fit for the next', async () => {
  const empty = { name: 'empty', text: 'select 1 as n where $1', values: [false] }
  for (let i = 0; i < 2; i++) expect(await send(empty)).toMatchObject({ rows: [], rowCount: 0 })
  const fails = { name: 'fails', text: 'select 1 / $1::int as n', values: [0] }
  for (let i = 0; i < 2; i++) await expect(send(fails)).rejects.toMatchObject({ code: '22012' })
  expect((await send({ ...fails, values: [1] })).rows).toEqual([{ n: 1 }])
})

test('a value that cannot be read rejects its statement alone', async () => {
  const broken = new pg.Client({
    connectionString: `${inject('server')}/postgres`,
    types: {
      getTypeParser: () => () => {
        throw new Error('unreadable')
      },
    },
  } as pg.ClientConfig)
  await broken.connect()
  const answer = (text: string) =>
    new Promise((resolve) =>
      sendPrepared(broken, { name: text, text, values: [] }, (error, result) => resolve(error?.message ?? result.rows)),
    )
  expect(await answer('select 1 as n')).toBe('unreadable')
  expect(await answer('select null::int as n')).toEqual([{ n: null }])
  await broken.end()
})
