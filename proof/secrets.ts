// Secrets of every kind go through every flow, also through those that fail;
// then they are looked for, in every spelling, everywhere.
import { createClient, providerIds } from '@adjoin/contract'
import { newSealKey } from '../api/src/vault/key-ring.ts'
import { listen } from '../api/test/answers.ts'
import { startOpenIdProvider } from '../api/test/openid-provider.ts'
import { createDatabase, type ProofDatabase } from './database.ts'
import type { Finding, Size } from './finding.ts'
import { removeScratch, scratchFolder } from './scratch.ts'
import { createLedger } from './secrets/canaries.ts'
import { connectAll } from './secrets/integrations.ts'
import { breakDatabase, misplace } from './secrets/mishaps.ts'
import { connectNowhere, operatorApps } from './secrets/operator.ts'
import {
  type Admin,
  invite,
  mintKeys,
  PUBLIC,
  type SecretsScene,
  signInByBrowser,
  signInByDevice,
  signInByGoogle,
  signUp,
} from './secrets/people.ts'
import { openPostOffice, type PostOffice } from './secrets/post-office.ts'
import { type RunningService, run } from './secrets/running.ts'
import { searchEverywhere, spellings } from './secrets/search.ts'
import { tapTwins } from './secrets/twins.ts'

const ROUNDS = { small: 1, full: 5 }

export async function* secrets(size: Size): AsyncGenerator<Finding> {
  // What is opened is closed in reverse.
  const opened: (() => unknown)[] = []
  try {
    const ledger = createLedger()
    const folder = scratchFolder()
    opened.push(() => removeScratch(folder))
    const database = await createDatabase()
    opened.push(database.remove)
    const post = await openPostOffice()
    opened.push(post.close)
    const google = await startOpenIdProvider(`${PUBLIC}/v1/auth/google/callback`)
    opened.push(google.close)
    const twins = await tapTwins(ledger)
    opened.push(twins.close)

    const sealKey = newSealKey('proof')
    const sealBytes = Buffer.from(sealKey.split(':')[1]!, 'base64')
    for (const form of ['base64', 'base64url', 'hex'] as const) ledger.keep('the seal key', sealBytes.toString(form))
    ledger.keep('the password of the database', String(database.connection.password))
    ledger.keep('the client secret at the identity provider', google.client.clientSecret)
    const smtpPassword = ledger.make('the password of the mail server')
    const env = {
      DATABASE_URL: database.url(),
      SEAL_KEYS: sealKey,
      SMTP_URL: `smtp://adjoin:${smtpPassword}@127.0.0.1:${post.port}`,
      PUBLIC_URL: PUBLIC,
      GOOGLE_CLIENT_ID: google.client.clientId,
      GOOGLE_CLIENT_SECRET: google.client.clientSecret,
      GOOGLE_ISSUER: google.client.issuer,
    }
    const service = await run({ ...env, TWINS: twins.url })
    opened.push(service.stop)
    const lonely = await run({ ...env, ...operatorApps(ledger), SANDBOX: 'false', ROLES: 'api' })
    opened.push(lonely.stop)
    const heard = [listen(service.url), listen(lonely.url)]
    opened.push(() => {
      for (const { stop } of heard.toReversed()) stop()
    })

    const admins: Admin[] = []
    for (let round = 0; round < ROUNDS[size]; round++) {
      const scene: SecretsScene = { url: service.url, ledger, post, google, slug: `agency-${round}` }
      const { admin, connected, echoed, broken } = await goThrough(scene, lonely, database, post)
      admins.push(admin)
      yield {
        tried: `round ${round + 1} of every flow: ${connected} of ${providerIds.length} ad systems connected, ${echoed} called through the gateway while they repeated their credentials, ${broken.length} requests on a broken database`,
        found: `${ledger.all().length} secrets so far`,
        good: connected === 20 && echoed === 20 && broken.length >= 6,
      }
    }
    yield spellings()
    const exchanges = () => heard.flatMap((one) => one.exchanges)
    yield* searchEverywhere({ ledger, database, post, exchanges, services: [service, lonely], admins, url: service.url, env, folder })
  } finally {
    while (opened.length) await opened.pop()!()
  }
}

async function goThrough(
  scene: SecretsScene,
  lonely: RunningService,
  database: ProofDatabase,
  post: PostOffice,
): Promise<{ admin: Admin; connected: number; echoed: number; broken: string[] }> {
  const admin = await signUp(scene)
  const { client } = admin
  await client.createWorkspace({ orgSlug: scene.slug }, { name: 'Client', slug: 'client' })
  await signInByBrowser(scene, admin.email)
  await signInByGoogle(scene)
  await signInByDevice(scene, admin)
  post.refuse(2)
  await invite(scene, admin)
  await mintKeys(scene, admin)
  const { connected, echoed } = await connectAll(scene, admin)
  await misplace(scene, admin)
  await connectNowhere(
    { ...scene, url: lonely.url },
    { ...admin, client: createClient({ url: lonely.url, headers: { authorization: `Bearer ${admin.token}` } }) },
  )
  return { admin, connected, echoed, broken: await breakDatabase(scene, admin, database) }
}
