// better-auth as its documentation sets it up for production,
// with organizations and API keys: what `members` is measured beside.
// Rate limits, telemetry and debug logs are off; passwords, sessions and keys are kept as it keeps them
// by default. No identity is cached, as ours is not, save where the bench asks for its cookie cache.
// Plain JavaScript, so that the types of a peer are nobody's concern.
import { once } from 'node:events'
import { createServer } from 'node:http'

process.env.NODE_ENV = 'production' // read while its modules load
const [{ apiKey }, { betterAuth }, { getMigrations }, { toNodeHandler }, { bearer, organization }, { default: pg }] = await Promise.all(
  ['@better-auth/api-key', 'better-auth', 'better-auth/db/migration', 'better-auth/node', 'better-auth/plugins', 'pg'].map(
    (name) => import(name),
  ),
)

const [{ connection, max, members, keys, cookieCache }] = await once(process, 'message')
const server = createServer().listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${server.address().port}`

const auth = betterAuth({
  baseURL: url,
  secret: 'forty characters of a secret for a bench',
  database: new pg.Pool({ ...connection, max }),
  emailAndPassword: { enabled: true },
  logger: { level: 'warn' },
  telemetry: { enabled: false },
  rateLimit: { enabled: false },
  session: { cookieCache: { enabled: cookieCache } },
  plugins: [organization(), bearer(), apiKey({ enableSessionForAPIKeys: true, rateLimit: { enabled: false } })],
})
await (await getMigrations(auth.options)).runMigrations()

const signUp = (n) =>
  auth.api.signUpEmail({
    body: { email: `person-${n}@bench.example`, name: `Person ${n}`, password: 'a password for a bench' },
    returnHeaders: true,
  })
const { response: owner, headers } = await signUp(1)
const authorization = `Bearer ${owner.token}`
const { id: organizationId } = await auth.api.createOrganization({ body: { name: 'Bench', slug: 'bench' }, headers: { authorization } })
for (let n = 2; n <= members; n++) {
  const { response: member } = await signUp(n)
  await auth.api.addMember({ body: { userId: member.user.id, organizationId, role: 'member' } })
}
const minted = []
for (let n = 1; n <= keys; n++) minted.push((await auth.api.createApiKey({ body: { name: `bench-${n}`, userId: owner.user.id } })).key)
const cookie = headers
  .getSetCookie()
  .map((line) => line.split(';', 1)[0])
  .join('; ')

server.on('request', toNodeHandler(auth))
process.send({ url, path: `/api/auth/organization/list-members?organizationId=${organizationId}`, authorization, cookie, keys: minted })
process.on('disconnect', () => process.exit())
