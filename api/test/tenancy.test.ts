import { accessOf, type CredentialClass, operationIds } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFullTenant, type FullTenant, idParameters, missing, send } from './full-tenant.ts'
import { createWorld, refusal, sql, type World } from './world.ts'

let world: World
let own: FullTenant
let foreign: FullTenant
beforeAll(async () => {
  // Nobody runs jobs, so that a mail that should not be written
  // stays where the suite sees it. Limits have suites of their own.
  world = await createWorld({ limitsFactor: 10_000, roles: { api: true, jobs: false } })
  own = await createFullTenant(world)
  foreign = await createFullTenant(world)
})
afterAll(() => world.stop())

const matrix = operationIds.flatMap((id) => {
  const row = accessOf(id)
  if (!row) return []
  const parameters = idParameters(id)
  const classes = (['session', 'userKey', 'organizationKey', 'workspaceKey'] as const).filter((one) => row[one] !== '-')
  return parameters.length ? [{ id, parameters, classes }] : []
})

const headersOf = (tenant: FullTenant, of: CredentialClass) =>
  of === 'session' ? tenant.organization.admin.headers : tenant.keys[of].headers

/**
 * Every non-empty selection for a person:
 * the organization's slug alone, the id alone, both, … For keys one at a time.
 */
const selections = <T>(list: T[], of: CredentialClass): T[][] =>
  of === 'session'
    ? Array.from({ length: 2 ** list.length - 1 }, (_, bits) => list.filter((_item, at) => (bits + 1) & (1 << at)))
    : list.map((one) => [one])

/** Everything the database holds, but for counters and times of last use. */
async function everything(): Promise<unknown> {
  const tables = await world.query<{ name: string }>(sql`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('limits', 'processes', 'schedules') order by 1`)
  const contents = tables.map(
    ({ name }) => `select '${name}' as name, count(*) as rows, md5(string_agg(t, '' order by t)) as content from (select
      (to_jsonb(x) - 'last_request_at' - 'last_request_ip' - 'last_used_at')::text as t from ${name} x) y`,
  )
  return world.query(sql([`${contents.join(' union all ')} order by 1`] as unknown as TemplateStringsArray))
}

/** What the service itself sent to the database for one request. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const before = world.statements.length
  await work()
  return world.statements.slice(before).filter((text) => !/last_request_at = |last_used_at = /.test(text))
}

const outcomeOf = ({ status, headers, text }: Awaited<ReturnType<typeof send>>) => {
  const { instance, requestId, ...problem } = JSON.parse(text)
  const shown = [...headers].filter(([name]) => !['date', 'x-request-id', 'content-length', 'ratelimit'].includes(name))
  return { status, problem: JSON.stringify(problem), headers: shown }
}

describe('another organization’s', () => {
  it('things are covered: every parameter of every path is one that the suite knows to fill', () => {
    for (const { id, parameters } of matrix)
      for (const { path } of parameters) expect(own.things, `${id}: give ${path} a line in tenant.ts`).toHaveProperty([path])
    expect(matrix.length).toBeGreaterThan(45)
  })

  it.each(matrix)(
    'things do not exist for $id: the same 404 as for what is missing, and nothing changes',
    async ({ id, parameters, classes }) => {
      const mine = Object.fromEntries(parameters.map(({ name, path }) => [name, own.things[path]!]))
      const before = await everything()
      for (const of of classes)
        for (const selected of selections(parameters, of)) {
          const theirs = { ...mine, ...Object.fromEntries(selected.map(({ name, path }) => [name, foreign.things[path]!])) }
          const nobodys = { ...mine, ...Object.fromEntries(selected.map(({ name }) => [name, missing(name)])) }
          const answers: ReturnType<typeof outcomeOf>[] = []
          const ask = (values: Record<string, string>) => async () =>
            answers.push(outcomeOf(await send(world.url, id, headersOf(own, of), values)))
          const [first, second] = [await statementsOf(ask(theirs)), await statementsOf(ask(nobodys))]
          const label = `${of} with foreign ${selected.map(({ name }) => name)}`
          expect(answers[0]!.status, `${label}: ${answers[0]!.problem}`).toBe(404)
          expect(answers[0], label).toEqual(answers[1])
          expect(first, label).toEqual(second)
        }
      expect(await everything()).toEqual(before)
    },
  )

  it('people and keys find nothing of ours, whatever of it they name', async () => {
    const before = await everything()
    for (const { id, parameters, classes } of matrix.filter(({ parameters: [first] }) => first!.name === 'orgSlug'))
      for (const of of classes) {
        const ours = Object.fromEntries(parameters.map(({ name, path }) => [name, own.things[path]!]))
        const { status, problem } = outcomeOf(await send(world.url, id, headersOf(foreign, of), ours))
        expect([id, of, status, JSON.parse(problem).code]).toEqual([id, of, 404, 'not_found'])
      }
    expect(await everything()).toEqual(before)
  })
})

describe('a person of two organizations', () => {
  it('does not carry what one lets them do into the other', async () => {
    const [one, other] = [await world.organization(), await world.organization()]
    const person = await world.join(one, 'admin')
    await world.join(other, 'viewer', person)
    const workspace = await world.workspace(other)
    const at = { orgSlug: other.slug, workspaceSlug: workspace.slug }
    expect(await refusal(person.client.createWorkspace({ orgSlug: other.slug }, { name: 'Mine', slug: 'mine' }))).toMatchObject({
      status: 403,
    })
    expect(await refusal(person.client.updateWorkspace(at, { name: 'Mine' }))).toMatchObject({ status: 403 })
    const key = await world.key(one, { level: 'user', creator: person })
    expect(await refusal(key.client.getOrganization({ orgSlug: other.slug }))).toMatchObject({ status: 404 })
    expect(await refusal(key.client.getWorkspace(at))).toMatchObject({ status: 404 })
  })
})
