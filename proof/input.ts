// Bad requests over every operation, made from the service's own document:
// each must be refused in good order, or answered as described.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { startOpenIdProvider } from '../api/test/openid-provider.ts'
import type { Finding, Options, Size } from './finding.ts'
import { failedControls } from './input/controls.ts'
import { readDocument } from './input/document.ts'
import { draft, sentOf } from './input/draft.ts'
import { type Group, groups } from './input/groups.ts'
import { createInputTenant, createOtherTenant, type InputTenant, type OtherTenant, PUBLIC } from './input/input-tenant.ts'
import { random } from './input/random.ts'
import { faultsOf, noteChoice, type Rules } from './input/rules.ts'
import { createTally, describe } from './input/tally.ts'
import { HOST } from './input/texts.ts'
import { createAgent, deliver } from './input/wire.ts'
import { createService, type Service } from './service.ts'

const SIZES = { small: 12_000, full: 100_000 }
/** Things get used up: after so many requests there is a new place full of them. */
const PER_PLACE = 1000
const AT_ONCE = 12
const TRUSTED = ['https://trusted.example', 'https://xn--bcher-kva.example']
const SEED = 20_261_115
const MOST_MEGABYTES = 512

export async function* input(size: Size, { seed = SEED }: Options = {}): AsyncGenerator<Finding> {
  const google = await startOpenIdProvider(`${PUBLIC}/v1/auth/google/callback`)
  const { clientId, clientSecret, issuer } = google.client
  const service = await createService({
    LOG_LEVEL: 'error',
    SANDBOX: 'true',
    PUBLIC_URL: PUBLIC,
    TRUSTED_ORIGINS: TRUSTED.join(','),
    GOOGLE_CLIENT_ID: clientId,
    GOOGLE_CLIENT_SECRET: clientSecret,
    GOOGLE_ISSUER: issuer,
  })
  try {
    service.start()
    await service.ready()
    yield* sendRequests(service, SIZES[size], seed, issuer)
  } finally {
    await service.remove()
    await google.close()
  }
}

async function* sendRequests(service: Service, requests: number, seed: number, issuer: string): AsyncGenerator<Finding> {
  const document = await readDocument(service.url)
  const { operations } = document
  yield { tried: `seed ${seed}`, found: `${requests} requests over the ${operations.length} operations of ${service.url}/openapi.json` }
  const trusted = [PUBLIC, PUBLIC.replace('localhost', '127.0.0.1'), PUBLIC.replace('localhost', '[::1]'), ...TRUSTED]
  const rules: Rules = { document, trusted, issuer, chosen: new Set() }
  const { tried, wrong } = failedControls(rules)
  yield {
    tried: `the rules themselves, on ${tried} answers made up to break or keep them`,
    found: wrong.join(', ') || 'all told apart',
    good: !wrong.length,
  }
  const agent = createAgent(AT_ONCE)
  const port = Number(new URL(service.url).port)
  const tally = createTally(operations.map(({ id }) => id))
  let mails = 0
  let postponed = 0

  const one = async (n: number, place: InputTenant) => {
    const dice = random(seed * 1_000_003 + n)
    const request = draft(document, operations[n % operations.length]!, place, dice)
    const fitting = groups.filter(({ fits }) => !fits || fits(request)).flatMap((group) => Array<Group>(group.weight ?? 1).fill(group))
    const group = dice.pick(fitting)
    group.spoil(request, dice, document)
    if (dice.chance(0.1)) dice.pick(fitting).spoil(request, dice, document)
    const sent = sentOf(request)
    noteChoice(rules, sent)
    try {
      let answers = await deliver(port, agent, sent)
      // A busy service may ask to come back later; a request that is put off every time has found a fault.
      for (let times = 0; times < 10 && answers[0]?.status === 503; times++) {
        postponed++
        await sleep(1000)
        answers = await deliver(port, agent, sent)
      }
      tally.count(group.name, request, answers, faultsOf(rules, sent, answers), sent)
    } catch (error) {
      tally.count(group.name, request, [], [`broke off: ${(error as Error).message}`], sent)
    }
  }

  let warm = 0
  let otherTenant: OtherTenant | undefined
  for (let from = 0; from < requests; from += PER_PLACE) {
    // An organization may have only so many invitations open.
    if (from % (20 * PER_PLACE) === 0) otherTenant = await createOtherTenant(service.url, `other-${from}`)
    const place = await createInputTenant(service.url, `place-${from}`, otherTenant!)
    let next = from
    const until = Math.min(from + PER_PLACE, requests)
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (next < until) await one(next++, place)
      }),
    )
    mails += await mailsNaming(service.url, HOST)
    // Told at once: what was found is known also when a run is cut short.
    for (const { sent, fault } of tally.fresh()) yield { tried: describe(sent), found: fault, good: false }
    if (!warm) warm = megabytes(service.pid())
    if (until % 20_000 === 0 && until < requests) yield { tried: `${until} requests`, found: `${tally.faults()} violations so far` }
  }
  agent.destroy()

  yield* tally.findings()
  yield { tried: 'answers that put a request off with 503, after which it was sent again', found: String(postponed) }
  yield { tried: 'mails with a link to a host that a request made up', found: String(mails), good: mails === 0 }
  yield* checkAfterwards(service, warm)
}

async function* checkAfterwards(service: Service, warm: number): AsyncGenerator<Finding> {
  const { status } = await fetch(`${service.url}/health`)
  yield { tried: 'health afterwards', found: String(status), good: status === 200 }
  const end = megabytes(service.pid())
  yield { tried: `memory after the first ${PER_PLACE} and after all`, found: `${warm} and ${end} MB`, good: end < MOST_MEGABYTES }
  const lines = service
    .output()
    .split('\n')
    .filter((line) => /^\{|warning|unhandled|^\s+at /i.test(line))
  yield {
    tried: 'lines of the log at level error or above',
    found: lines.length ? `${lines.length}, such as ${lines[0]!.slice(0, 500)}` : '0',
    good: !lines.length,
  }
}

async function mailsNaming(url: string, host: string): Promise<number> {
  const { messages } = (await (await fetch(`${url}/dev/mailbox.json`)).json()) as { messages: { text: string; html: string }[] }
  return messages.filter(({ text, html }) => `${text}${html}`.includes(host)).length
}

const megabytes = (pid: number) => Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)
