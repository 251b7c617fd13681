// A service whose every turn is watched, and what is sent to it: from a thread of its own, so that only the service's work counts.
import { startApp } from '../src/app.ts'
import { MOST_TURN_MS } from './hostile-shapes.ts'
import { type HostileAnswer, type Outcome, type Outsider, type Request, startOutsider } from './outsider.ts'
import { PATIENT, PATIENT_WAITS } from './patience.ts'
import { longestTurnMs } from './processor-time.ts'
import { createWorld, newAddress, type TestOrganization, type TestWorkspace, type World } from './world.ts'

export interface Turns {
  readonly world: World
  readonly outsider: Outsider
  readonly organization: TestOrganization
  readonly workspace: TestWorkspace
  /** Of the service whose ad systems answer as they are told. */
  readonly url: string
  stop(): Promise<void>
}

export async function createTurns(): Promise<Turns> {
  const world = await createWorld({ limitsFactor: 100_000, roles: { api: true, jobs: false } })
  const outsider = await startOutsider()
  const organization = await world.organization()
  const workspace = await world.workspace(organization)
  const sandbox = { url: outsider.url, close: async () => {} }
  const app = await startApp(world.config, { log: world.log.log, sandbox, timeouts: PATIENT, waits: PATIENT_WAITS })
  return {
    world,
    outsider,
    organization,
    workspace,
    url: app.url,
    async stop() {
      await app.stop()
      await outsider.close()
      await world.stop()
    },
  }
}

export interface Hostile extends Request {
  readonly name: string
  /** What the ad system answers. */
  readonly answer?: HostileAnswer | undefined
}

export const answered = (
  body: string | Uint8Array,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): HostileAnswer => ({
  status: 200,
  headers,
  body: Buffer.from(body),
})

/** Those after which the others had to wait, and those that were not admitted. */
export async function slowOf({ outsider, organization, url }: Turns, cases: Iterable<Hostile>): Promise<string[]> {
  const found: string[] = []
  for (const { name, answer, headers, ...request } of cases) {
    if (answer) await outsider.answer(answer)
    const credential: Record<string, string> = headers?.['x-api-key'] ? {} : { authorization: `Bearer ${organization.admin.token}` }
    const send = outsider.request(url, { ...request, headers: { 'x-forwarded-for': newAddress(), ...credential, ...headers } })
    let outcome = { status: 0, text: '', asked: 0 }
    const ms = await longestTurnMs(async () => {
      outcome = await send()
    }, MOST_TURN_MS)
    const said = `${outcome.status} ${/"(?:lastError|detail)":"[^"]*"/.exec(outcome.text)?.[0] ?? outcome.text.slice(0, 150)}`.replace(
      /[^ -~]/g,
      '?',
    )
    if (ms > MOST_TURN_MS) found.push(`${name}: ${Math.round(ms)} ms (${said})`)
    if (!isAdmitted(outcome, answer !== undefined)) found.push(`${name}: not admitted (${said})`)
  }
  return found
}

/** Read, and not refused before: for its size, for who sent it or for how often. */
const isAdmitted = ({ status, asked }: Outcome, answered: boolean): boolean =>
  status > 0 && ![401, 413, 414, 429, 431, 503].includes(status) && (asked > 0 || !answered)
