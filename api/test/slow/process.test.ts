import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startService } from '../child-service.ts'
import { createWorld, newAddress, request, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ roles: { api: true, jobs: false } })
})
afterAll(() => world.stop())

const environment = () => ({
  DATABASE_URL: world.config.databaseUrl!,
  SEAL_KEYS: world.config.sealKeys!.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(','),
  TRUSTED_PROXIES: '127.0.0.1',
})

describe('the process', () => {
  it('logs requests as lines of JSON, by the template of their path and never with what is in it', async () => {
    const service = await startService(environment())
    const { admin, slug } = await world.organization()
    const secret = 'c4n4ry'.repeat(5)
    await request(`${service.url}/v1/organizations/${slug}?token=${secret}`, { headers: admin.headers })
    await request(`${service.url}/v1/invitations/${secret}`, { headers: { cookie: `adjoin_session=${secret}`, 'user-agent': 'a\tb' } })
    await request(`${service.url}/nowhere/${secret}`)
    await expect.poll(() => service.output()).toContain('"route":"-"')
    const lines = service
      .output()
      .trim()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))
    const requests = lines.filter(({ msg }) => msg === 'request')
    expect(requests.map(({ route }) => route)).toEqual(
      expect.arrayContaining(['/v1/organizations/:orgSlug', '/v1/invitations/:token', '-']),
    )
    expect(requests[0]).toMatchObject({ requestId: expect.any(String), method: 'GET', status: expect.any(Number), ms: expect.any(Number) })
    for (const text of [secret, admin.token, slug]) expect(service.output()).not.toContain(text)
  })

  it('says when it stops and has stopped, and nothing at info of those who only look whether it lives', async () => {
    const service = await startService(environment())
    for (const path of ['/health', '/health/live', '/v1/me']) await request(`${service.url}${path}`)
    await expect.poll(() => service.output()).toContain('"route":"/v1/me"')
    service.process.kill('SIGTERM')
    expect(await service.exited).toBe(0)
    await expect.poll(() => service.output()).toMatch(/"msg":"stopping".*"msg":"stopped"/s)
    expect(service.output()).not.toContain('/health')
  })

  it('lives on when nobody reads what it writes any more', async () => {
    const service = await startService({ ...environment(), LOG_LEVEL: 'trace' })
    service.process.stdout!.destroy()
    service.process.stderr!.destroy()
    for (let i = 0; i < 200; i++) expect((await request(`${service.url}/health/live`, { address: newAddress() })).status).toBe(200)
    expect(service.process.exitCode).toBeNull()
    service.process.kill('SIGTERM')
    expect(await service.exited).toBe(0)
  })

  it('that only does jobs takes no business requests, and says how it is', async () => {
    const service = await startService({ ...environment(), ROLES: 'jobs' })
    expect((await request(`${service.url}/health`)).status).toBe(200)
    expect((await request(`${service.url}/version`)).status).toBe(200)
    const { admin } = await world.organization()
    expect((await request(`${service.url}/v1/me`, { headers: admin.headers })).status).toBe(404)
  })

  it('that cannot start says why in a sentence, and ends', async () => {
    await expect(startService({ ...environment(), PORT: 'no' })).rejects.toThrow('PORT must be a port number, for example PORT=3000')
    const { port } = new URL(world.url)
    await expect(startService({ ...environment(), PORT: port })).rejects.toThrow(`Port ${port} is already in use by another program`)
  })
})
