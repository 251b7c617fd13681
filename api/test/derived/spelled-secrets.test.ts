// Every secret of every ad system, spelled in every way and in ways upon ways, whole, in pieces and cut anywhere:
// nobody can read 16 characters of it in a row from what is passed on.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAccess } from '../../src/features/gateway/access.ts'
import { scrubOf } from '../../src/features/gateway/pass-on.ts'
import { findIntegration } from '../../src/features/integrations/integration-row.ts'
import { gatewayRules } from '../../src/gateway/rules/index.ts'
import { createScrub, type Scrub } from '../../src/gateway/scrub.ts'
import { providers } from '../../src/providers/index.ts'
import { connectIntegration } from '../connected-integration.ts'
import { inTurns } from '../sampled.ts'
import { bytesOf, longestLeak, type Sign, signsOf, spellings } from '../spellings.ts'
import { createWorld, type TestOrganization, type TestWorkspace, type World } from '../world.ts'

const names = Object.keys(spellings)
const pairs = names.flatMap((one) => names.map((other) => [one, other]))
/** Of two ways upon each other each system takes a tenth, and cuts a tenth of all ways at every place: all are tried at two. */
const IN_TURNS = 10
const isTurn = (n: number, turn: number) => n % IN_TURNS === turn % IN_TURNS
const triples = names.flatMap((one) => pairs.map((pair) => [one, ...pair]))
/** Of three ways upon each other, each system takes others: so many of all. */
const TRIPLES = 60
/** Passed on whole, nothing can be read; where a chunk ends, a beginning may be. */
const [WHOLE, CUT] = [0, 3]
const [HEAD, TAIL] = ['{"rows":[1, 2],"next":"https://a.example/?t=', '&limit=1","more":"a b"}'].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
]

const spelled = (secret: string, ways: readonly string[]): Sign[] => ways.reduce((signs, way) => spellings[way]!(signs), signsOf(secret))

/** What comes out of a body that is cut at these places. */
function passed(scrub: Scrub, bytes: Buffer, cuts: readonly number[]): Buffer {
  const scrubber = scrub.scrubber()
  const chunks = [...cuts, bytes.length].map((cut, i) => Buffer.from(scrubber.push(Buffer.from(bytes.subarray(i ? cuts[i - 1] : 0, cut)))))
  return Buffer.concat([...chunks, scrubber.end()])
}

interface Try {
  readonly scrub: Scrub
  readonly secret: string
  readonly ways: readonly string[]
}

/** How much of the secret can be read at most, with the body cut in each of these ways and in a header. */
function leak({ scrub, secret, ways }: Try, cutting: readonly (readonly number[])[]): number {
  const signs = spelled(secret, ways)
  const bytes = Buffer.concat([HEAD, bytesOf(signs), TAIL])
  const read = (out: Buffer) => longestLeak(signs, out, Buffer.byteLength(secret))
  const bodies = cutting.map((cuts) => {
    const out = passed(scrub, bytes, cuts)
    if (out.length !== bytes.length) throw new Error(`${out.length} of ${bytes.length} bytes came`)
    return read(out.subarray(HEAD.length))
  })
  return Math.max(read(Buffer.from(scrub.text(bytesOf(signs).toString()))), ...bodies)
}

const everywhere = (length: number): number[][] => Array.from({ length }, (_, i) => [i])
const byteByByte = (length: number): number[] => [...Array(length).keys()].slice(1)

let world: World
let organization: TestOrganization
let workspace: TestWorkspace
beforeAll(async () => {
  world = await createWorld()
  organization = await world.organization()
  workspace = await world.workspace(organization)
})
afterAll(() => world.stop())

const systems = providers.map((provider, turn) => [provider.id, provider, turn] as const)

describe.each(inTurns(systems, 7))('%s', (id, provider, turn) => {
  let scrub: Scrub
  let secrets: string[]
  beforeAll(async () => {
    const integration = await connectIntegration({ world, organization, workspace }, id)
    const { parts } = world.app
    const row = (await findIntegration(parts.db.query, { organizationId: organization.id, id: integration }))!
    const access = (await openAccess(parts, provider, row, new Date()))!
    scrub = scrubOf({ parts }, gatewayRules[id]!, access)
    secrets = [...new Set(access.secrets())].filter((secret) => secret.length >= 12)
    expect(secrets.length).toBeGreaterThan(0)
  })
  const leaks = (tries: readonly Try[], cutting: (length: number, n: number) => number[][], most: number) =>
    tries.flatMap((one, n) => {
      const found = leak(one, cutting(HEAD.length + bytesOf(spelled(one.secret, one.ways)).length, n))
      return found > most ? [`${one.ways.join(', then ')}: ${found} of “${one.secret}”`] : []
    })

  it('lets none leave in any spelling, wherever it is cut', () => {
    const tries = names.flatMap((way) => secrets.map((secret) => ({ scrub, secret, ways: [way] })))
    expect(leaks(tries, () => [[]], WHOLE)).toEqual([])
    const isCutEverywhere = (n: number) => n % secrets.length === turn % secrets.length && isTurn(Math.floor(n / secrets.length), turn)
    expect(leaks(tries, (length, n) => (isCutEverywhere(n) ? everywhere(length) : [[length >> 1]]), CUT)).toEqual([])
    expect(leaks(tries, (length) => [byteByByte(length)], CUT)).toEqual([])
  })

  it('lets none leave in two or three upon each other', () => {
    const some = Array.from({ length: TRIPLES }, (_, n) => triples[(turn * TRIPLES + n) * 7919 % triples.length]!) // biome-ignore format: a number
    const tries = [...pairs.filter((_, n) => isTurn(n, turn)), ...some].map((ways, n) => ({
      scrub,
      secret: secrets[n % secrets.length]!,
      ways,
    }))
    expect(leaks(tries, () => [[]], WHOLE)).toEqual([])
    expect(
      leaks(tries, (length, n) => [[(n * 31) % length], [(n * 17) % length, (n * 17 + 40) % length].sort((a, b) => a - b)], CUT),
    ).toEqual([])
  })

  it('lets no 16 characters of one leave', () => {
    const pieces = secrets
      .filter(({ length }) => length > 16)
      .flatMap((secret) => [0, Math.min(3, secret.length - 16), secret.length - 16].map((at) => secret.slice(at, at + 16)))
    const tries = names.flatMap((way) => pieces.map((secret) => ({ scrub, secret, ways: [way] })))
    expect(leaks(tries, (length) => [[], [length - 3], byteByByte(length)], 14)).toEqual([])
  })

  it('would be read in every spelling without the search', () => {
    const [secret] = secrets as [string]
    const tries = names.map((way) => ({ scrub: createScrub([]), secret, ways: [way] }))
    expect(tries.filter((one) => leak(one, [[], [HEAD.length + 5]]) < secret.length)).toEqual([])
  })
})
