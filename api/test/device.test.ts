import { createClient } from '@adjoin/contract'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { digest } from '../src/vault/tokens.ts'
import { makeLimitsLast } from './lasting-limits.ts'
import { createWorld, newAddress, refusal, request, sql, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
  await makeLimitsLast(world)
})
afterAll(() => world.stop())

const start = (clientName = 'Adjoin CLI') => world.client().startDeviceLogin({ clientName })
const poll = (deviceCode: string, url = world.url) =>
  createClient({ url, headers: { 'x-forwarded-for': newAddress() } }).pollDeviceLogin({ deviceCode })
const pollError = async (deviceCode: string) => {
  const { status, problem } = await refusal(poll(deviceCode))
  return { status, error: problem.error, interval: problem.interval }
}
/** As if the device had waited. */
const wait = (seconds: number, deviceCode: string) =>
  world.query(
    sql`update device_logins set polled_at = polled_at - make_interval(secs => ${seconds}) where device_code_hash = ${digest(deviceCode)}`,
  )

describe('a device login', () => {
  it('signs the device in as the person who approved, with a session of its own', async () => {
    const organization = await world.organization()
    const { admin } = organization
    const login = await start('ci-runner')
    expect(login).toMatchObject({
      userCode: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verificationUri: 'http://localhost:3000/device',
      verificationUriComplete: `http://localhost:3000/device?code=${login.userCode}`,
      expiresIn: 900,
      interval: 5,
    })
    expect(await pollError(login.deviceCode)).toEqual({ status: 400, error: 'authorization_pending', interval: 5 })
    expect(await admin.client.approveDeviceLogin({ userCode: login.userCode })).toMatchObject({ status: 'approved' })
    const signedIn = await poll(login.deviceCode)
    expect(signedIn).toMatchObject({ user: { email: admin.email }, token: expect.stringMatching(/^[\w-]{43}$/) })
    const client = world.client({ authorization: `Bearer ${signedIn.token}` })
    expect((await client.getSession()).session).toMatchObject({ method: 'device', current: true })
    const { auditLogs } = await admin.client.listAuditLogs({ orgSlug: organization.slug })
    expect(auditLogs.map(({ action, metadata }) => [action, metadata])).toEqual([['user.signed_in', { method: 'device' }]])
  })

  it('shows who asks and from where before the person says yes', async () => {
    const { admin } = await world.organization()
    const address = newAddress()
    const { userCode } = await world
      .client({ 'x-forwarded-for': address, 'user-agent': 'adjoin-cli/0.1 linux' })
      .startDeviceLogin({ clientName: 'laptop' })
    for (const typed of [userCode, userCode.toLowerCase().replace('-', ''), ` ${userCode} `])
      expect(await admin.client.getDeviceLogin({ userCode: typed })).toMatchObject({
        userCode,
        clientName: 'laptop',
        ip: address,
        userAgent: 'adjoin-cli/0.1 linux',
        status: 'pending',
      })
  })

  it('works once: of a hundred questions at once over three replicas exactly one gets the session', async () => {
    const replicas = [world.app, await world.replica(), await world.replica()]
    const { admin } = await world.organization()
    const { deviceCode, userCode } = await start()
    await admin.client.approveDeviceLogin({ userCode })
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        poll(deviceCode, replicas[i % 3]!.url).then(
          () => 'signed in',
          (error) => error.problem.error,
        ),
      ),
    )
    expect(answers.filter((answer) => answer === 'signed in')).toHaveLength(1)
    expect(answers.filter((answer) => answer === 'expired_token')).toHaveLength(99)
    expect(await world.query(sql`select from sessions where user_id = ${admin.id} and method = 'device'`)).toHaveLength(1)
  })

  it('tells those that come too late at once, without waiting for one that is still being answered', async () => {
    const { admin } = await world.organization()
    const { deviceCode, userCode } = await start()
    await admin.client.approveDeviceLogin({ userCode })
    await poll(deviceCode)
    const operator = new pg.Client({ connectionString: world.config.databaseUrl })
    await operator.connect()
    try {
      await operator.query('begin')
      await operator.query('select from device_logins where device_code_hash = $1 for update', [digest(deviceCode)])
      expect(await pollError(deviceCode)).toMatchObject({ status: 400, error: 'expired_token' })
    } finally {
      await operator.end()
    }
  })

  it('slows an eager device down by five seconds each time, and forgives one that waits', async () => {
    const { deviceCode } = await start()
    expect((await pollError(deviceCode)).error).toBe('authorization_pending')
    await wait(-60, deviceCode) // early, however slow the machine
    expect(await pollError(deviceCode)).toEqual({ status: 400, error: 'slow_down', interval: 10 })
    await wait(-60, deviceCode)
    expect(await pollError(deviceCode)).toEqual({ status: 400, error: 'slow_down', interval: 15 })
    await wait(16, deviceCode)
    expect(await pollError(deviceCode)).toEqual({ status: 400, error: 'authorization_pending', interval: 15 })
  })

  it('can be denied, and tells the device so', async () => {
    const { admin } = await world.organization()
    const { deviceCode, userCode } = await start()
    expect((await admin.client.denyDeviceLogin({ userCode })).status).toBe('denied')
    expect((await pollError(deviceCode)).error).toBe('access_denied')
    expect((await refusal(admin.client.approveDeviceLogin({ userCode }))).code).toBe('device_closed')
  })

  it('is decided by one person: nobody else sees or changes it afterwards', async () => {
    const [{ admin: one }, { admin: other }] = [await world.organization(), await world.organization()]
    const { deviceCode, userCode } = await start()
    const outcomes = await Promise.allSettled([one, other].map(({ client }) => client.approveDeviceLogin({ userCode })))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [winner, loser] = outcomes[0]!.status === 'fulfilled' ? [one, other] : [other, one]
    for (const attempt of [loser.client.getDeviceLogin, loser.client.approveDeviceLogin, loser.client.denyDeviceLogin])
      expect((await refusal(attempt({ userCode }))).status).toBe(404)
    expect((await winner.client.getDeviceLogin({ userCode })).status).toBe('approved')
    expect((await poll(deviceCode)).user.email).toBe(winner.email)
  })

  it('ends after fifteen minutes by the database’s clock, approved or not', async () => {
    const { admin } = await world.organization()
    for (const approve of [false, true]) {
      const { deviceCode, userCode } = await start()
      if (approve) await admin.client.approveDeviceLogin({ userCode })
      const [row] = await world.query<{ minutes: number }>(
        sql`update device_logins l set expires_at = now() from device_logins old where l.id = old.id and l.device_code_hash = ${digest(deviceCode)}
          returning (extract(epoch from old.expires_at - old.created_at) / 60)::int as minutes`,
      )
      expect(row!.minutes).toBe(15)
      expect((await pollError(deviceCode)).error).toBe('expired_token')
      expect((await refusal(admin.client.getDeviceLogin({ userCode }))).status).toBe(404)
      expect((await refusal(admin.client.approveDeviceLogin({ userCode }))).status).toBe(404)
    }
    expect((await pollError('unknown')).error).toBe('expired_token')
  })

  it('ends with the other sessions when the person signs out everywhere before the device has asked', async () => {
    const { admin } = await world.organization()
    const { deviceCode, userCode } = await start()
    await admin.client.approveDeviceLogin({ userCode })
    await admin.client.signOutEverywhere()
    expect((await pollError(deviceCode)).error).toBe('access_denied')
  })

  it('neither completes a sign-up nor provisions: it proves no address', async () => {
    const late = await world.organization()
    const person = await world.person('Late', `late@${late.domain}`)
    const { deviceCode, userCode } = await start()
    await person.client.approveDeviceLogin({ userCode })
    await poll(deviceCode)
    expect(await world.query(sql`select from members where user_id = ${person.id}`)).toHaveLength(0)
  })

  it('keeps the device code hashed, and out of the log', async () => {
    const { deviceCode } = await start()
    await refusal(poll(deviceCode))
    const rows = await world.query(sql`select row_to_json(d)::text as row from device_logins d`)
    expect(JSON.stringify(rows) + world.log.lines.join('')).not.toContain(deviceCode)
  })

  it('needs a person to approve: no key, no anonymous caller, no foreign page', async () => {
    const organization = await world.organization()
    const { userCode, deviceCode } = await start()
    const key = await world.key(organization, { level: 'organization', role: 'admin' })
    for (const client of [key.client, world.client()]) expect((await refusal(client.approveDeviceLogin({ userCode }))).status).toBe(401)
    const foreign = await request(`${world.url}/v1/auth/device/token`, {
      method: 'POST',
      body: JSON.stringify({ deviceCode }),
      headers: { 'content-type': 'application/json', origin: 'https://evil.example' },
    })
    expect(foreign.json()).toMatchObject({ status: 401, code: 'origin_refused' })
  })

  it('is started ten times a minute from one address', async () => {
    const client = world.client({ 'x-forwarded-for': newAddress() })
    for (let i = 0; i < 10; i++) await client.startDeviceLogin({})
    const { status, retryAfter } = await refusal(client.startDeviceLogin({}))
    expect([status, retryAfter! >= 1]).toEqual([429, true])
  })
})
