// The process that does the jobs is killed amid mails: each comes at least once, and every link in one works.
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@adjoin/contract'
import type { CreateDatabase } from '../database.ts'
import type { Finding, Size } from '../finding.ts'
import { patience } from '../patience.ts'
import { createService } from '../service.ts'
import { createDependencies, linkIn } from './dependencies.ts'
import { ROUNDS } from './kind.ts'
import { MAIN, STARTED_MS, signUpByMail } from './service-under-load.ts'

const MAILS = 20
/** What a dead process had in hand is taken up when its lease of a minute has run out: much later, it is lost. */
const DELIVERED_MS = 300_000

export async function* jobsFaults(empty: CreateDatabase, size: Size): AsyncGenerator<Finding> {
  const dependencies = await createDependencies()
  const rounds = ROUNDS[size]
  const env = { ...(await empty('jobs')), NODE_OPTIONS: patience(size) }
  const [api, jobs] = await Promise.all(['api', 'jobs'].map((role) => createService({ ...dependencies.env, ...env, ROLES: role }, MAIN)))
  try {
    api!.start()
    await api!.ready(STARTED_MS)
    jobs!.start()
    await jobs!.ready(STARTED_MS)
    await signUpByMail(api!.url, dependencies.letters, 'mails')
    dependencies.mail.delay(60)
    const client = createClient({ url: api!.url })
    const people: string[] = []
    for (let round = 0; round < rounds; round++) {
      for (let i = 0; i < MAILS; i++) {
        const email = `p${people.length}@mails.example`
        await client.sendSignInLink({ email })
        people.push(email)
      }
      const before = dependencies.letters.length
      while (dependencies.letters.length === before) await sleep(5) // the first of them has left
      await sleep(randomInt(200))
      jobs!.kill('SIGKILL')
      await jobs!.stop()
      jobs!.start()
      await jobs!.ready(STARTED_MS)
    }
    dependencies.mail.pass()
    const killed = performance.now()
    const missing = () => people.filter((email) => !linkIn(dependencies.letters, email)).length
    const late = missing()
    while (missing() && performance.now() - killed < DELIVERED_MS) await sleep(100)
    const time = ((performance.now() - killed) / 1000).toFixed(1)
    let failed = 0
    for (const email of people) await client.verifySignIn({ token: linkIn(dependencies.letters, email) ?? '' }).catch(() => failed++)
    yield {
      tried: rounds > 1 ? `jobs process killed amid mails, ${rounds} times` : 'jobs process killed amid mails',
      found: `${people.length} mails promised, ${late} not there after the last kill, ${missing()} after ${time} s; ${dependencies.letters.length - 1 - people.length + missing()} came twice; ${failed} of ${people.length} sign-ins failed`,
      good: missing() === 0 && failed === 0,
    }
  } finally {
    await api!.remove()
    await jobs!.remove()
    await dependencies.close()
  }
}
