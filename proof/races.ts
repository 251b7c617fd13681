// A hundred parallel requests over three replicas for what can be had once:
// one wins, the others are told so, and one thing has happened.
import { Problem, type ProblemCode, statusOf } from '@adjoin/contract'
import { startOpenIdProvider } from '../api/test/openid-provider.ts'
import type { Finding, Size } from './finding.ts'
import { furnishBy } from './furnish.ts'
import { patience } from './patience.ts'
import { kinds, PUBLIC_URL, type RaceContext, type Round } from './race-kinds.ts'
import { createReplicas } from './replicas.ts'
import { type ShotAnswer, volley } from './volley.ts'

const ROUNDS: Record<Size, number> = { small: 5, full: 50 }
const HELD_MS = 60

export async function* races(size: Size): AsyncGenerator<Finding> {
  const openId = await startOpenIdProvider(`${PUBLIC_URL}/v1/auth/google/callback`)
  const { clientId, clientSecret, issuer } = openId.client
  try {
    const replicas = await createReplicas(3, {
      PUBLIC_URL,
      SANDBOX: 'true',
      GOOGLE_CLIENT_ID: clientId,
      GOOGLE_CLIENT_SECRET: clientSecret,
      GOOGLE_ISSUER: issuer,
      LOG_LEVEL: 'error',
      NODE_OPTIONS: patience(size),
    })
    try {
      const furnish = furnishBy(replicas.database.connection)
      const context: RaceContext = { urls: replicas.services.map(({ url }) => url), furnish, openId }
      for (const name of Object.keys(kinds)) yield await race(context, name, ROUNDS[size])
      const { orphans } = await furnish.one<{ orphans: number }>(
        `select count(*)::int as orphans from organizations o where not exists (select from members m where m.organization_id = o.id and role = 'admin')`,
      )
      yield { tried: 'organizations without an admin, after all of it', found: String(orphans), good: orphans === 0 }
      await furnish.end()
    } finally {
      await replicas.remove()
    }
  } finally {
    await openId.close()
  }
}

async function race(context: RaceContext, name: string, rounds: number): Promise<Finding> {
  const began = performance.now()
  const faults: string[] = []
  const told = new Map<string, number>()
  let winners = 0
  let sent = 0
  for (let i = 0; i < rounds; i++) {
    const round = await kinds[name]!(context, i)
    // By turns: all of them past the door when they are let go, and all of them in front of it.
    const answers = await volley(context.urls, round.shots, i % 2 ? 0 : HELD_MS)
    const won = answers.filter(round.won)
    winners += won.length
    sent += answers.length
    if (round.repeats ? won.length === 0 : won.length !== 1) faults.push(`round ${i}: ${won.length} winners`)
    for (const answer of answers) {
      if (round.won(answer)) continue
      const how = outcomeOf(answer)
      told.set(how, (told.get(how) ?? 0) + 1)
      if (!round.lost.includes(how)) faults.push(`round ${i}: ${how}`)
    }
    faults.push(...(await checkAfterwards(context, round)).map((fault) => `round ${i}: ${fault}`))
  }
  const losers = [...told].map(([how, count]) => `${count} told ${how.replace(PUBLIC_URL, '')}`).join(', ')
  const seconds = Math.round((performance.now() - began) / 1000)
  return {
    tried: `${name}, ${rounds} rounds of ${sent / rounds}`,
    found: faults.length ? `${faults.length} faults, such as ${faults.slice(0, 5).join('; ')}` : `${winners} won, ${losers} (${seconds} s)`,
    good: faults.length === 0,
  }
}

/**
 * `409 key_replaced`, where the answer is a problem document
 * as the contract has it; `302` and where to, for browsers.
 */
function outcomeOf({ status, headers, body }: ShotAnswer): string {
  if (status === 302) return `302 ${headers.location}`
  if (!headers['content-type']?.startsWith('application/problem+json')) return `${status} without a problem document`
  const { data } = Problem.safeParse(JSON.parse(body))
  if (!data || data.status !== status || statusOf(data.code as ProblemCode) !== status)
    return `${status} with a wrong problem document: ${body}`
  return `${status} ${data.code}`
}

async function checkAfterwards({ furnish }: RaceContext, { after: [text, ...values] }: Round): Promise<string[]> {
  const counts = await furnish.one<Record<string, number>>(text, values)
  return Object.entries(counts).flatMap(([what, count]) => (count === 1 ? [] : [`${count} ${what}`]))
}
