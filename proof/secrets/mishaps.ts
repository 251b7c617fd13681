// Secrets in the places where people put them by mistake and attackers on purpose, while things break.
import { randomBytes } from 'node:crypto'
import { createClient } from '@adjoin/contract'
import { tokenOf } from '../../furnishing/front-door.ts'
import type { ProofDatabase } from '../database.ts'
import { isIntegration } from './integrations.ts'
import type { Admin, SecretsScene } from './people.ts'

export async function misplace({ url, ledger, slug }: SecretsScene, { token }: Admin): Promise<void> {
  const canary = (where: string) => ledger.make(`a secret put into ${where}`)
  const authorization = `Bearer ${token}`
  const json = { 'content-type': 'application/json' }
  const send = async (path: string, headers: Record<string, string> = {}, method = 'GET', body?: string) => {
    const answer = await fetch(`${url}${path}`, { method, headers, redirect: 'manual', ...(body !== undefined && { body }) })
    await answer.arrayBuffer()
  }
  const o = `/v1/organizations/${slug}`
  await send(`/v1/me?token=${canary('a query')}`, { authorization })
  await send(`/v1/me?password=${canary('a query')}`, { authorization: `Bearer ${canary('a bearer')}` })
  await send('/v1/me', { authorization: `Basic ${Buffer.from(`ada:${canary('a basic header')}`).toString('base64')}` })
  await send('/v1/me', { 'x-api-key': ledger.keep('a key of nobody', `adj_${randomBytes(24).toString('hex')}`) })
  await send('/v1/me', { cookie: `adjoin_session=${canary('a cookie')}; other=${canary('a cookie')}` })
  await send('/v1/me', { authorization, 'x-forwarded-for': canary('a header'), referer: `https://x.example/?${canary('a referer')}` })
  for (const path of ['/v1/connect', '/v1/invitations', '/v1/auth/magic-link', '/v1/nowhere', '/v1/connect/results', '/dev', '/connect'])
    await send(`${path}/${canary('a path')}`)
  await send(`/v1/connect/${canary('a path')}/credentials`, json, 'POST', '{}')
  await send(`/v1/connect/oauth/callback?state=${canary('a state')}&code=${canary('a code')}&error_description=${canary('a description')}`)
  await send(`/v1/auth/google/callback?state=${canary('a state')}&code=${canary('a code')}`)
  await send(`/v1/auth/google?callbackURL=https://${canary('an address')}.example/`)
  await send(`${o}/audit-logs?cursor=${canary('a cursor')}`, { authorization })
  await send('/v1/me', { authorization, ...json }, 'PATCH', `{"name":"${canary('broken JSON')}`)
  await send('/v1/me', { authorization, ...json }, 'PATCH', `{"name":"Ada","password":"${canary('a field too many')}"}`)
  await send('/v1/me', { authorization, ...json }, 'PATCH', `{"name":["${canary('a list')}"]}`)
  await send('/v1/me', { authorization, 'content-type': 'text/plain' }, 'PATCH', canary('plain text'))
  await send('/v1/auth/magic-link/verify', json, 'POST', JSON.stringify({ token: canary('a sign-in') }))
  await send('/v1/auth/magic-link/verify', json, 'POST', JSON.stringify({ email: `ada@${slug}.example`, code: canary('a code') }))
  await send('/v1/auth/device/token', json, 'POST', JSON.stringify({ deviceCode: canary('a device code') }))
  await send(`${o}/workspaces`, { authorization, ...json, 'idempotency-key': canary('an Idempotency-Key') }, 'POST', '{"name":5}')
  await send(`${o}/workspaces`, { authorization, ...json }, 'POST', JSON.stringify({ name: 'x', slug: canary('a slug') }))
}

/** Tables go missing under requests that carry secrets: each is a defect, logged as one. */
export async function breakDatabase(scene: SecretsScene, { client }: Admin, database: ProofDatabase): Promise<string[]> {
  const { ledger, slug, url } = scene
  const w = { orgSlug: slug, workspaceSlug: 'client' }
  const made = await client.createIntegration(w, { provider: 'stackadapt', name: 'unlucky' })
  const token = ledger.keep('a connect link', tokenOf(made.connectUrl), { shownIn: isIntegration })
  const failed: string[] = []
  const without = async (table: string, attempt: () => Promise<unknown>) => {
    await database.operator(`alter table ${table} rename to ${table}_away`)
    try {
      await attempt().catch((error: { status?: number }) => failed.push(`${table} ${error.status}`))
    } finally {
      await database.operator(`alter table ${table}_away rename to ${table}`)
    }
  }
  const typed = () => ({ apiKey: ledger.make('a secret typed while the database was broken') })
  const anyone = createClient({ url, retries: 0 })
  await without('integration_checks', () => client.submitIntegrationCredentials({ ...w, id: made.id }, typed()))
  await without('audit_entries', () => anyone.submitConnectCredentials({ token }, typed()))
  await without('api_keys', () => client.createApiKey({ orgSlug: slug }, { name: 'unlucky', level: 'user' }))
  await without('sessions', () => anyone.verifySignIn({ token: ledger.make('a sign-in while the database was broken') }))
  await without('sessions', () => client.getMe())
  await without('connect_visits', () => anyone.startConnectOAuth({ token }, {}))
  // Cut off in the middle of what they do.
  const cut = Promise.all([client.submitIntegrationCredentials({ ...w, id: made.id }, typed()), client.getMe()]).catch(() => {})
  await database.operator(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await cut
  return failed
}
