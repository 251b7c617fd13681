// Guessing at sign-in codes: a code works for whoever asked for it,
// wrong ones are counted for the account, and its owner still gets in.
import { until } from '../../furnishing/until.ts'
import type { HttpAnswer } from '../ask.ts'
import { type Attack, type AttackContext, counted, outcomeOf, send } from './attack-context.ts'

const WRONG_A_DAY = 20
const A_CODE = 5
/** More than the codes of a day, each with as many guesses as it takes. */
const ROUNDS = 6

export const guessing: Attack = async function* (context) {
  const { furnish } = context
  const victim = await furnish.person()
  const attackers = await askFor(context, victim.email, 1)
  const own = await askFor(context, victim.email, 2)
  const guesses = {
    'without a challenge': {},
    'with the challenge of somebody else’s request': { challenge: attackers.challenge ?? 'x'.repeat(43) },
  }
  for (const [name, more] of Object.entries(guesses)) {
    const answer = await verify(context, { email: victim.email, code: own.code, ...more })
    yield { tried: `the right code, ${name}`, found: outcomeOf(answer), good: answer.status === 400 || answer.status === 401 }
  }
  yield* overDays(context)
}

/** A chosen account, code after code, from ever new addresses. */
async function* overDays(context: AttackContext) {
  const victim = await context.furnish.person()
  const outcomes: string[] = []
  let mails = 0
  for (let round = 0; round < ROUNDS; round++) {
    const { code, challenge } = await askFor(context, victim.email, ++mails)
    for (let n = 1; n <= A_CODE; n++) {
      const wrong = String((Number(code) + n) % 1_000_000).padStart(6, '0')
      outcomes.push(outcomeOf(await verify(context, { email: victim.email, code: wrong, ...(challenge && { challenge }) })))
    }
    await pass(context, 61)
  }
  const { code, challenge, token } = await askFor(context, victim.email, ++mails)
  const right = await verify(context, { email: victim.email, code, ...(challenge && { challenge }) })
  yield {
    tried: `${outcomes.length} wrong codes for one account, then the right one`,
    found: `${counted(outcomes)}; then ${outcomeOf(right)}`,
    good: right.status === 401 || right.status === 429,
  }
  const link = await verify(context, { token })
  yield { tried: `its owner afterwards, by the link`, found: outcomeOf(link), good: link.status === 200 }
  const warnings = context.smtp.letters.filter(({ to, text }) => to.includes(victim.email) && !/#token=/.test(text)).length
  yield {
    tried: `the owner is warned when ${WRONG_A_DAY} codes were wrong`,
    found: `${warnings} mails`,
    good: warnings === 1,
  }
}

/** Once codes are closed, mails bring none. */
const NONE = '000000'

interface MailedCode {
  readonly code: string
  readonly token: string
  /** What the one who asked got with the answer, and nobody else. */
  readonly challenge: string | undefined
}

async function askFor({ urls, smtp }: AttackContext, email: string, nth: number): Promise<MailedCode> {
  const before = signInLetters(smtp.letters, email).length
  const answer = await send(`${urls[0]}/v1/auth/magic-link`, { method: 'POST', body: { email } })
  if (answer.status !== 202) throw new Error(`sign-in mail ${nth}: ${outcomeOf(answer)}`)
  const letters = () => signInLetters(smtp.letters, email)
  const { text } = (await until(letters, ({ length }) => length > before, `sign-in mail ${nth}`)).at(-1)!
  return {
    code: /^\s+(\d{6})\s*$/m.exec(text)?.[1] ?? NONE,
    token: /#token=([\w-]{43})/.exec(text)![1]!,
    challenge: JSON.parse(answer.body).challenge,
  }
}

const signInLetters = (letters: AttackContext['smtp']['letters'], email: string) =>
  letters.filter(({ to, text }) => to.includes(email) && /#token=/.test(text))

const verify = ({ urls }: AttackContext, body: object): Promise<HttpAnswer> =>
  send(`${urls[1]}/v1/auth/magic-link/verify`, { method: 'POST', body })

/** As if so much time had passed: what counts for a minute has forgotten, what counts for a day has not. */
const pass = ({ furnish }: AttackContext, seconds: number) =>
  furnish.one('update limits set ends_at = ends_at - make_interval(secs => $1)', [seconds])
