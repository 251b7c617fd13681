// Several services on one database, as an operator runs them behind a balancer.
import { newSealKey } from '../api/src/vault/key-ring.ts'
import { createDatabase, type ProofDatabase } from './database.ts'
import { createService, type Service } from './service.ts'

export interface Replicas {
  readonly database: ProofDatabase
  readonly services: readonly Service[]
  remove(): Promise<void>
}

export async function createReplicas(count: number, env: Record<string, string> = {}, main?: string): Promise<Replicas> {
  const database = await createDatabase()
  const shared = { DATABASE_URL: database.url(), SEAL_KEYS: newSealKey('proof'), ...env }
  const services = await Promise.all(Array.from({ length: count }, () => createService(shared, main)))
  for (const service of services) service.start()
  try {
    await Promise.all(services.map((service) => service.ready()))
  } catch (error) {
    await remove()
    throw error
  }
  async function remove() {
    await Promise.all(services.map((service) => service.remove()))
    await database.remove()
  }
  return { database, services, remove }
}
