import { createHash } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, request, sql, type TestOrganization, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.stop())

let count = 0
const newKey = () => `key-${++count}`

/** Creates a workspace: a change with a record, a Location and an audit entry to count. */
function create(of: TestOrganization, key: string, slug: string, { url = world.url, headers = of.admin.headers } = {}) {
  return request(`${url}/v1/organizations/${of.slug}/workspaces`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ slug, name: slug }),
  })
}
const changes = async (of: TestOrganization) => {
  const [row] = await world.query<{ workspaces: number; entries: number }>(sql`
    select (select count(*) from workspaces where organization_id = ${of.id}) as workspaces,
      (select count(*) from audit_entries where organization_id = ${of.id}) as entries`)
  return row!
}
const once = { workspaces: 1, entries: 1 }

describe('a repeated request', () => {
  it('gets the first answer again, marked as such, and changes nothing', async () => {
    const of = await world.organization()
    const key = newKey()
    const first = await create(of, key, 'client')
    const again = await create(of, key, 'client')
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.text).toBe(first.text)
    expect(again.headers.get('location')).toBe(first.headers.get('location'))
    expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true'])
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
    expect(await changes(of)).toEqual(once)
  })

  it('fifty times at once over three replicas is carried out once', async () => {
    const urls = [world.app, await world.replica(), await world.replica()].map(({ url }) => url)
    const of = await world.organization()
    const key = newKey()
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => create(of, key, 'client', { url: urls[i % 3]! })))
    expect(answers.filter(({ status, headers }) => status === 201 && !headers.has('idempotency-replayed'))).toHaveLength(1)
    for (const { status, headers, text } of answers)
      if (status !== 201) {
        expect(status).toBe(409)
        expect(JSON.parse(text).code).toBe('request_running')
        expect(headers.get('retry-after')).toBe('1')
      }
    expect(await changes(of)).toEqual(once)
  })

  it('with another body is refused: 422', async () => {
    const of = await world.organization()
    const key = newKey()
    await create(of, key, 'client')
    const other = await create(of, key, 'another')
    expect(other.status).toBe(422)
    expect(other.json().code).toBe('idempotency_mismatch')
  })

  it('with another query is refused too: it asks for something else', async () => {
    const of = await world.organization()
    const leaver = await world.join(of, 'member')
    const remove = (organizationKeys: string) =>
      request(`${world.url}/v1/organizations/${of.slug}/members/${leaver.id}?organizationKeys=${organizationKeys}`, {
        method: 'DELETE',
        headers: { ...of.admin.headers, 'idempotency-key': key },
      })
    const key = newKey()
    expect((await remove('keep')).status).toBe(204)
    expect((await remove('keep')).status).toBe(204)
    expect((await remove('revoke')).status).toBe(422)
  })

  it('of somebody else, or of another place, is another request', async () => {
    const [one, two] = [await world.organization(), await world.organization()]
    const colleague = await world.join(one, 'admin')
    await world.join(two, 'admin', one.admin)
    const key = newKey()
    const answers = [
      await create(one, key, 'client'),
      await create(one, key, 'client-2', { headers: colleague.headers }),
      await create(two, key, 'client', { headers: one.admin.headers }),
    ]
    expect(answers.map(({ status, headers }) => [status, headers.get('idempotency-replayed')])).toEqual(Array(3).fill([201, null]))
  })

  it('that was refused may be corrected under the same key', async () => {
    const of = await world.organization()
    const key = newKey()
    await create(of, newKey(), 'taken')
    expect((await create(of, key, 'taken')).status).toBe(409)
    expect((await create(of, key, 'free')).status).toBe(201)
  })

  it('never shows a raw key again', async () => {
    const of = await world.organization()
    const key = newKey()
    const mint = () =>
      request(`${world.url}/v1/organizations/${of.slug}/api-keys`, {
        method: 'POST',
        headers: { ...of.admin.headers, 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({ name: 'CI', level: 'organization', role: 'viewer' }),
      })
    const [first, again] = [await mint(), await mint()]
    const { key: raw, ...rest } = first.json()
    expect(raw).toMatch(/^adj_/)
    expect(again.json()).toEqual(rest)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
  })
})

describe('a replay', () => {
  it('is for those who may still do it', async () => {
    const of = await world.organization()
    const colleague = await world.join(of, 'admin')
    const key = newKey()
    const again = () => create(of, key, 'client', { headers: colleague.headers })
    expect((await again()).status).toBe(201)
    await world.query(sql`update members set role = 'viewer' where organization_id = ${of.id} and user_id = ${colleague.id}`)
    expect((await again()).status).toBe(403)
    await world.query(sql`delete from members where organization_id = ${of.id} and user_id = ${colleague.id}`)
    expect((await again()).status).toBe(404)
    await world.query(sql`update sessions set ended_at = now() where user_id = ${colleague.id}`)
    expect((await again()).status).toBe(401)
  })

  it('of what took the place itself away says again that it was done, to the one who did it', async () => {
    const of = await world.organization()
    const { slug } = await world.workspace(of)
    const guest = await world.join(of, 'member')
    const path = `/v1/organizations/${of.slug}`
    const ended = async (target: string, key: string, { headers } = of.admin) => {
      const { status, headers: sent } = await request(world.url + path + target, {
        method: 'DELETE',
        headers: { ...headers, 'idempotency-key': key },
      })
      return [status, sent.get('idempotency-replayed')]
    }
    const [deleting, leaving] = [newKey(), newKey()]
    expect(await ended(`/workspaces/${slug}?force=true`, deleting)).toEqual([204, null])
    expect(await ended(`/workspaces/${slug}?force=true`, deleting)).toEqual([204, 'true'])
    expect(await ended(`/workspaces/${slug}?force=true`, newKey()), 'another key').toEqual([404, null])
    expect(await ended(`/workspaces/${slug}`, deleting), 'another query').toEqual([404, null])
    expect(await ended(`/workspaces/${slug}?force=true`, deleting, guest), 'somebody else').toEqual([404, null])
    expect(await ended(`/members/${guest.id}`, leaving, guest)).toEqual([204, null])
    expect(await ended(`/members/${guest.id}`, leaving, guest)).toEqual([204, 'true'])
    await world.query(sql`update sessions set ended_at = now() where user_id = ${guest.id}`)
    expect(await ended(`/members/${guest.id}`, leaving, guest), 'signed out').toEqual([401, null])
  })

  it('comes from a sealed copy that opens nowhere else, and what was sent is not kept at all', async () => {
    const of = await world.organization()
    const [mine, other] = [newKey(), newKey()]
    await create(of, mine, 'client-one')
    await create(of, other, 'client-two')
    const [row] = await world.query<{ answer: string; body_hash: Buffer }>(
      sql`select answer, body_hash from idempotency where key = ${mine}`,
    )
    expect(row!.answer).toMatch(/^v1\.test1\./)
    expect(row!.answer).not.toContain('client-one')
    for (const body of [
      { slug: 'client-one', name: 'client-one' },
      { name: 'client-one', slug: 'client-one' },
    ])
      expect(row!.body_hash.equals(createHash('sha256').update(JSON.stringify(body)).digest())).toBe(false)
    await world.query(sql`update idempotency set answer = (select answer from idempotency where key = ${other}) where key = ${mine}`)
    const moved = await create(of, mine, 'client-one')
    expect(moved.status).toBe(409)
    expect(moved.json().code).toBe('answer_lost')
  })
})

describe('a process that dies', () => {
  const unanswered = (key: string) => world.query(sql`update idempotency set answer = null, committed_at = null where key = ${key}`)

  it('before it changed anything lets another one do it, a minute later', async () => {
    const of = await world.organization()
    const key = newKey()
    await create(of, key, 'client')
    await world.query(sql`delete from workspaces where organization_id = ${of.id}`)
    await unanswered(key)
    const running = await create(of, key, 'client')
    expect([running.status, running.json().code]).toEqual([409, 'request_running'])
    await world.query(sql`update idempotency set started_at = now() - interval '61 seconds' where key = ${key}`)
    expect((await create(of, key, 'client')).status).toBe(201)
  })

  it('between the change and its answer never leads to a second change', async () => {
    const of = await world.organization()
    const key = newKey()
    await create(of, key, 'client')
    for (const [age, code] of [
      ['-1 minute', 'request_running'],
      ['6 seconds', 'answer_lost'],
      ['61 seconds', 'answer_lost'],
      ['23 hours', 'answer_lost'],
    ] as const) {
      await world.query(
        sql`update idempotency set answer = null, started_at = now() - ${age}::interval, committed_at = now() - ${age}::interval where key = ${key} and committed_at is not null`,
      )
      const again = await create(of, key, 'client')
      expect([again.status, again.json().code]).toEqual([409, code])
    }
    expect(await changes(of)).toEqual(once)
  })

  it('only for so long that another took over, and then lives on, changes nothing any more', async () => {
    const { admin } = await world.organization()
    const key = newKey()
    const rename = () =>
      request(`${world.url}/v1/me`, {
        method: 'PATCH',
        headers: { ...admin.headers, 'content-type': 'application/json', 'idempotency-key': key },
        body: '{"name":"Countess"}',
      })
    const operator = new pg.Client({ connectionString: world.config.databaseUrl })
    await operator.connect()
    await operator.query('begin')
    await operator.query('select from users where id = $1 for update', [admin.id])
    const first = rename()
    await expect.poll(() => world.query(sql`select from idempotency where key = ${key}`)).toHaveLength(1)
    await world.query(sql`update idempotency set started_at = started_at - interval '61 seconds' where key = ${key}`)
    const second = rename()
    await expect
      .poll(() => world.query(sql`select from idempotency where key = ${key} and started_at > now() - interval '30 seconds'`))
      .toHaveLength(1)
    await operator.query('commit')
    await operator.end()
    expect((await Promise.all([first, second])).map(({ status }) => status)).toEqual([409, 200])
    expect(
      await world.query(sql`select from audit_entries where content like '%user.updated%' and content like ${`%${admin.id}%`}`),
    ).toHaveLength(1)
  })

  it('after the change, with its answer unwritten, has still told its client the truth', async () => {
    const of = await world.organization()
    await world.query(sql`create function no_answers() returns trigger language plpgsql as $$ begin raise 'the disk is full'; end $$`)
    await world.query(sql`create trigger no_answers before update of answer on idempotency for each row execute function no_answers()`)
    const key = newKey()
    const first = await create(of, key, 'client')
    await world.query(sql`drop trigger no_answers on idempotency`)
    expect(first.status).toBe(201)
    await world.query(sql`update idempotency set committed_at = now() - interval '6 seconds' where key = ${key}`)
    expect((await create(of, key, 'client')).json().code).toBe('answer_lost')
    expect(await changes(of)).toEqual(once)
  })

  it('a day ago is forgotten', async () => {
    const of = await world.organization()
    const key = newKey()
    await create(of, key, 'client')
    await world.query(sql`update idempotency set started_at = now() - interval '25 hours' where key = ${key}`)
    expect((await create(of, key, 'another')).status).toBe(201)
  })
})

describe('the header', () => {
  it.each(['', ' ', 'x'.repeat(256), 'schlüssel', 'tab\there'])('%j is no key: 400', async (key) => {
    const answer = await create(await world.organization(), key, 'client')
    expect(answer.status).toBe(400)
    expect(answer.json().errors).toEqual([{ path: 'Idempotency-Key', message: expect.any(String) }])
  })

  it('of 255 characters is one', async () => {
    expect((await create(await world.organization(), 'x'.repeat(255), 'client')).status).toBe(201)
  })

  it('means nothing on a request that only looks, or that nobody signed', async () => {
    const of = await world.organization()
    const key = newKey()
    const headers = { 'content-type': 'application/json', 'idempotency-key': key }
    for (const method of ['GET', 'HEAD']) await request(`${world.url}/v1/me`, { method, headers: { ...of.admin.headers, ...headers } })
    await request(`${world.url}/v1/auth/magic-link`, { method: 'POST', headers, body: JSON.stringify({ email: of.admin.email }) })
    expect(await world.query(sql`select from idempotency where key = ${key}`)).toHaveLength(0)
  })
})
