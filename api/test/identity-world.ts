// A world in which one can sign in with Google and with Microsoft: both a real OpenID provider on loopback.
import { afterAll } from 'vitest'
import { type Browser, createBrowser } from './browser.ts'
import { startOpenIdProvider } from './openid-provider.ts'
import { createWorld } from './world.ts'

export const PUBLIC = 'http://localhost:3000'
export const TENANT = '11111111-2222-4333-8444-555555555555'

export const google = await startOpenIdProvider(`${PUBLIC}/v1/auth/google/callback`)
export const microsoft = await startOpenIdProvider(`${PUBLIC}/v1/auth/microsoft/callback`)
export const world = await createWorld({ identity: { google: google.client, microsoft: microsoft.client } })
afterAll(async () => {
  await world.stop()
  await Promise.all([google.close(), microsoft.close()])
})

let people = 0
export const sub = () => `subject-${++people}`
export const oid = () => `00000000-0000-4000-8000-${String(++people).padStart(12, '0')}`
export const browser = () => createBrowser(PUBLIC, world.url)
export const me = async (of: Browser) => JSON.parse((await of.request('/v1/me')).text)
export const start = (provider: string, query = '') => `/v1/auth/${provider}${query}`
