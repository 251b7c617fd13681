// Reading the members of an organization, by key and by bearer,
// beside better-auth doing the same on the same PostgreSQL.
import { signUpAgency } from '../furnishing/front-door.ts'
import { requestBytes } from './load.ts'
import { type Measure, rounded } from './measure.ts'
import { type Bench, createBench, type PreparedService } from './setup.ts'
import { compare, type Side } from './sides.ts'

const MEMBERS = 10
const CONNECTIONS = 16
const POOL = 10

interface Endpoint {
  readonly path: string
  readonly authorization: string
  readonly cookie: string
  readonly keys: string[]
}

export async function* members(): AsyncIterable<Measure> {
  const bench = await createBench()
  try {
    const ours = await bench.prepare((service) => seed(bench, service))
    const adjoin = { ...ours, ...(await bench.adjoin({ DATABASE_POOL: String(POOL) })) }
    const [peer, caching] = [await betterAuth(bench, 'peer', false), await betterAuth(bench, 'peer_caching', true)]
    const [counted, theirs] = [await count(adjoin), await count(peer)]
    yield {
      what: 'members in the answers',
      numbers: { adjoin: counted, betterAuth: theirs },
      good: counted === MEMBERS && theirs === MEMBERS,
    }

    const byKey = (name: string, { keys, ...server }: typeof peer | typeof adjoin): Side => ({
      name,
      ...server,
      // A key for each connection: better-auth updates the key's
      // row with every request, and one row would make them queue.
      requests: asking(server.path, (n) => ({ 'x-api-key': keys[n]! })),
    })
    const byBearer = (name: string, { authorization, ...server }: typeof peer | typeof adjoin): Side => ({
      name,
      ...server,
      requests: asking(server.path, () => ({ authorization })),
    })
    const sides: Side[] = [
      byKey('adjoin by key', adjoin),
      byKey('better-auth by key', peer),
      byBearer('adjoin by bearer', adjoin),
      byBearer('better-auth by bearer', peer),
      { name: CACHED, ...caching, requests: asking(caching.path, () => ({ cookie: caching.cookie })) },
    ]
    const { of, ratio } = await compare(sides, { rounds: 10, seconds: 1 })
    for (const { name } of sides) {
      const { perSecond, cpuMicros, p50 } = of(name)
      yield { what: name, numbers: { perSecond: rounded(perSecond), cpuMicros: rounded(cpuMicros), p50: rounded(p50) } }
    }
    for (const by of ['by key', 'by bearer'])
      yield {
        what: `${by}, times better-auth`,
        numbers: {
          throughput: rounded(ratio('perSecond', `adjoin ${by}`, `better-auth ${by}`)),
          cpu: rounded(ratio('cpuMicros', `better-auth ${by}`, `adjoin ${by}`)),
        },
        bars: { throughput: { least: 8 } },
      }
    yield {
      what: 'by bearer, read anew each time, times better-auth with the identity cached in the cookie',
      numbers: { throughput: rounded(ratio('perSecond', 'adjoin by bearer', CACHED)) },
    }
  } finally {
    await bench.remove()
  }
}

const CACHED = 'better-auth by cookie, identity cached in it'

const asking = (path: string, headers: (connection: number) => Record<string, string>) =>
  Array.from({ length: CONNECTIONS }, (_, n) => [requestBytes('GET', path, headers(n))])

const count = async ({ url, path, keys }: { url: string; path: string; keys: string[] }) => {
  const answer = await fetch(url + path, { headers: { 'x-api-key': keys[0]! } })
  return ((await answer.json()) as { members: unknown[] }).members.length
}

/** In a database of its own on the same server. */
async function betterAuth(bench: Bench, database: string, cookieCache: boolean) {
  await bench.database.operator(`create database ${database}`)
  const connection = { ...bench.database.connection, database }
  return bench.beside<Endpoint>('peer.mjs', { connection, max: POOL, members: MEMBERS, keys: CONNECTIONS, cookieCache })
}

async function seed(bench: Bench, { url }: PreparedService): Promise<Omit<Endpoint, 'cookie'>> {
  const { client, token, slug: orgSlug } = await signUpAgency(url, 'bench')
  await bench.database.operator(
    `with people as (insert into users (email, name) select 'person-' || n || '@bench.example', 'Person ' || n from generate_series(2, $1) n returning id)
     insert into members (organization_id, user_id, role) select o.id, p.id, 'member' from people p, organizations o`,
    [MEMBERS],
  )
  const keys: string[] = []
  for (let n = 1; n <= CONNECTIONS; n++) keys.push((await client.createApiKey({ orgSlug }, { name: `bench ${n}`, level: 'user' })).key)
  return { path: `/v1/organizations/${orgSlug}/members`, authorization: `Bearer ${token}`, keys }
}
