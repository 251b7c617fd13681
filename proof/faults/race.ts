// Three services that find an empty database at the same moment:
// each migration is applied once, and all three serve.
import { readdirSync } from 'node:fs'
import { createClient } from '@adjoin/contract'
import { signUpAgency } from '../../furnishing/front-door.ts'
import type { CreateDatabase } from '../database.ts'
import type { Finding, Size } from '../finding.ts'
import { patience } from '../patience.ts'
import { createService } from '../service.ts'
import { ROUNDS } from './kind.ts'
import { STARTED_MS } from './service-under-load.ts'

const REPLICAS = 3
const MIGRATIONS = readdirSync(new URL('../../api/src/db/migrations', import.meta.url)).filter((name) => name.endsWith('.sql')).length

export async function* raceFaults(empty: CreateDatabase, size: Size): AsyncGenerator<Finding> {
  const rounds = ROUNDS[size]
  const complaints = new Set<string>()
  let slowest = 0
  for (let round = 0; round < rounds; round++) {
    const env = { ...(await empty(`race_${round}`)), LOG_LEVEL: 'info', NODE_OPTIONS: patience(size) }
    const services = await Promise.all(Array.from({ length: REPLICAS }, () => createService(env)))
    try {
      for (const service of services) service.start()
      slowest = Math.max(slowest, ...(await Promise.all(services.map((service) => service.ready(STARTED_MS)))))
      const applied = services.flatMap((service) => service.output().match(/\d{4}_\w+\.sql/g) ?? [])
      if (applied.length !== MIGRATIONS || new Set(applied).size !== MIGRATIONS)
        complaints.add(`${applied.length} migrations were applied, there are ${MIGRATIONS}`)
      const [first, ...others] = services
      const { token } = await signUpAgency(first!.url, 'race')
      for (const { url } of others) {
        const { email } = await createClient({ url, headers: { authorization: `Bearer ${token}` } }).getMe()
        if (email !== 'ada@race.example') complaints.add('a replica does not know who signed up at another')
      }
    } finally {
      await Promise.all(services.map((service) => service.remove()))
    }
  }
  const found = [...complaints].join('; ') || `each of ${MIGRATIONS} migrations applied once, all know who signed up at one`
  yield {
    tried: `${REPLICAS} replicas started at once on an empty database${rounds > 1 ? `, ${rounds} times` : ''}`,
    found: `${found}; ready in ${(slowest / 1000).toFixed(1)} s`,
    good: complaints.size === 0,
  }
}
