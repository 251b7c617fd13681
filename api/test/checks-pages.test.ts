import { afterAll, beforeAll, expect, it } from 'vitest'
import { placeIn } from './workspace-place.ts'
import { createWorld, refusal, sql, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.stop())

async function checked(count: number) {
  const { organization, at, admin } = await placeIn(world)
  const { id } = await admin.client.createIntegration(at, { provider: 'xandr', name: 'Seat' })
  // Three of a kind at each moment: a page may end between checks of one instant.
  await world.query(sql`insert into integration_checks (organization_id, integration_id, kind, outcome, status, duration_ms, checked_at)
    select ${organization.id}, ${id}, 'check', 'verified', 'active', n, now() - make_interval(hours => n / 3) from generate_series(1, ${count}::int) n`)
  return { at: { ...at, id }, client: admin.client }
}

it('without limit and cursor the list is whole, and says nothing of pages', async () => {
  const { at, client } = await checked(20)
  const answer = await client.listIntegrationChecks(at)
  expect(answer.checks).toHaveLength(20)
  expect(answer).not.toHaveProperty('nextCursor')
})

it('page by page each check is seen once, in the order of the whole list', async () => {
  const { at, client } = await checked(20)
  const whole = (await client.listIntegrationChecks(at)).checks.map(({ id }) => id)
  const walked: string[] = []
  let cursor: string | null | undefined
  do {
    const page = await client.listIntegrationChecks({ ...at, limit: 7, ...(cursor && { cursor }) })
    walked.push(...page.checks.map(({ id }) => id))
    cursor = page.nextCursor
  } while (cursor)
  expect(walked).toEqual(whole)
})

it('a cursor works for its own integration only', async () => {
  const [mine, other] = [await checked(5), await checked(5)]
  const { nextCursor } = await mine.client.listIntegrationChecks({ ...mine.at, limit: 2 })
  expect((await refusal(other.client.listIntegrationChecks({ ...other.at, cursor: nextCursor! }))).code).toBe('invalid_cursor')
  expect((await refusal(mine.client.listIntegrationChecks({ ...mine.at, cursor: `${nextCursor}A` }))).code).toBe('invalid_cursor')
  expect((await mine.client.listIntegrationChecks({ ...mine.at, cursor: nextCursor! })).checks).toHaveLength(3)
})

it('a cursor whose check was swept ends the list', async () => {
  const { at, client } = await checked(5)
  const { checks, nextCursor } = await client.listIntegrationChecks({ ...at, limit: 2 })
  await world.query(sql`delete from integration_checks where id = ${checks[1]!.id}`)
  expect(await client.listIntegrationChecks({ ...at, cursor: nextCursor! })).toEqual({ checks: [], nextCursor: null })
})
