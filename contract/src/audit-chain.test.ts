import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ChainedEntry, type Checkpoint, checkpointText, linesOf, verifyAuditTrail } from './audit-chain.ts'

type TestEntry = ChainedEntry & Record<string, unknown>

/** Chains contents as the database does it. */
function chain(contents: object[]): TestEntry[] {
  let previous = Buffer.alloc(32)
  return contents.map((content, i) => {
    const createdAt = new Date(1_790_000_000_000 + i).toISOString()
    const text = JSON.stringify({ id: `id-${i}`, ...content })
    const hash = createHash('sha256')
      .update(previous)
      .update(`${i + 1} ${createdAt} ${text}`)
      .digest()
    const { id, ...rest } = JSON.parse(text)
    const entry = { id, sequence: i + 1, ...rest, createdAt, hash: hash.toString('hex'), previousHash: previous.toString('hex') }
    previous = hash
    return entry
  })
}
const rehashed = (entry: TestEntry): TestEntry => {
  const { sequence, createdAt, hash: _, previousHash, ...content } = entry
  const hash = createHash('sha256')
    .update(Buffer.from(previousHash, 'hex'))
    .update(`${sequence} ${createdAt} ${JSON.stringify(content)}`)
    .digest('hex')
  return { ...entry, hash }
}
const lines = (entries: object[]) => entries.map((entry) => JSON.stringify(entry))
const ten = () => chain(Array.from({ length: 10 }, (_, i) => ({ action: 'workspace.updated', metadata: { i } })))

const keys = generateKeyPairSync('ed25519')
const publicKey = keys.publicKey.export({ format: 'jwk' }).x!
function checkpointAt(entries: TestEntry[], sequence: number, key = keys): Checkpoint {
  const statement = {
    organizationId: '7d1f4c9e-0000-4000-8000-000000000000',
    sequence,
    hash: entries[sequence - 1]?.hash ?? '0'.repeat(64),
    createdAt: '2026-10-01T00:00:00.000Z',
  }
  const signature = sign(null, Buffer.from(checkpointText(statement)), key.privateKey).toString('base64url')
  return { ...statement, publicKey: key.publicKey.export({ format: 'jwk' }).x!, signature }
}

describe('an audit trail', () => {
  it('is intact as it was written, as entries and as lines', async () => {
    const entries = ten()
    const verdict = { outcome: 'intact', entries: 10, first: 1, last: { sequence: 10, hash: entries[9]!.hash } }
    expect(await verifyAuditTrail(entries)).toMatchObject(verdict)
    expect(await verifyAuditTrail(lines(entries))).toMatchObject(verdict)
    expect(await verifyAuditTrail([])).toEqual({
      outcome: 'intact',
      entries: 0,
      first: null,
      last: null,
      organization: null,
      endProved: false,
    })
  })

  it('is intact whatever its entries hold: numbers, unicode, odd member names, any order of members', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), { maxLength: 5 }), async (metadata) => {
        const entries = chain(metadata.map((value) => ({ action: 'user.updated', metadata: JSON.parse(JSON.stringify(value)) })))
        expect((await verifyAuditTrail(lines(entries))).outcome).toBe('intact')
      }),
    )
  })

  const nth = (entries: TestEntry[], i: number, change: object) => entries.map((entry, at) => (at === i ? { ...entry, ...change } : entry))
  it.each<[string, (entries: TestEntry[]) => object[], string, number | null]>([
    ['an edited action', (entries) => nth(entries, 3, { action: 'workspace.created' }), 'edited', 4],
    ['an edited time', (entries) => nth(entries, 3, { createdAt: '2026-01-01T00:00:00.000Z' }), 'edited', 4],
    ['a member put in', (entries) => nth(entries, 3, { extra: 1 }), 'edited', 4],
    ['an edited hash', (entries) => nth(entries, 3, { hash: 'f'.repeat(64) }), 'edited', 4],
    ['an edited previous hash', (entries) => nth(entries, 3, { previousHash: 'f'.repeat(64) }), 'edited', 4],
    ['another sequence number', (entries) => nth(entries, 3, { sequence: 5 }), 'edited', 5],
    ['an entry edited and hashed anew', (entries) => nth(entries, 3, rehashed({ ...entries[3]!, action: 'x' })), 'replaced', 4],
    ['a first entry that follows something', (entries) => [rehashed({ ...entries[0]!, previousHash: 'f'.repeat(64) })], 'replaced', 1],
    ['two entries swapped', (entries) => [...entries.slice(0, 3), entries[4]!, entries[3]!, ...entries.slice(5)], 'swapped', 4],
    ['an entry twice', (entries) => [...entries.slice(0, 4), ...entries.slice(3)], 'inserted', 4],
    ['an entry removed and the next renumbered', (entries) => [...entries.slice(0, 3), { ...entries[4]!, sequence: 4 }], 'edited', 4],
    ['a sequence number that is none', (entries) => nth(entries, 3, { sequence: '4' }), 'unreadable', null],
  ])('is broken by %s', async (_, tamper, what, sequence) => {
    for (const source of [tamper(ten()), lines(tamper(ten()))])
      expect(await verifyAuditTrail(source as TestEntry[])).toMatchObject({ outcome: 'broken', fault: { what, sequence } })
  })

  it.each<[string, (line: string) => string]>([
    ['a member given twice', (line) => line.replace('{', '{"action":"workspace.created",')],
    ['spaces', (line) => line.replaceAll(',', ', ')],
    ['a number in another spelling', (line) => line.replace('"i":3', '"i":3.0')],
    ['half a line', (line) => line.slice(0, -10)],
    ['something else', () => '"entry"'],
    ['nothing', () => ''],
  ])('is unreadable where a line has %s', async (_, tamper) => {
    const changed = lines(ten()).map((line, i) => (i === 3 ? tamper(line) : line))
    expect(await verifyAuditTrail(changed)).toMatchObject({ outcome: 'broken', fault: { what: 'unreadable', line: 4 } })
  })

  it('with entries missing is told as such, never as intact', async () => {
    const entries = ten()
    expect(await verifyAuditTrail(entries.filter(({ sequence }) => sequence % 3 === 0))).toMatchObject({
      outcome: 'gaps',
      entries: 3,
      missing: { from: 1, to: 2 },
    })
    expect(await verifyAuditTrail(entries.toSpliced(4, 2))).toMatchObject({ outcome: 'gaps', missing: { from: 5, to: 6 } })
  })

  it('tells how far it is', async () => {
    const told: number[] = []
    await verifyAuditTrail(chain(Array.from({ length: 2500 }, () => ({}))), { progress: (entries) => told.push(entries) })
    expect(told).toEqual([1000, 2000, 2500])
  })
})

describe('a checkpoint', () => {
  it('lies on the trail that it was made of, and on one that has grown since', async () => {
    const entries = ten()
    for (const sequence of [0, 1, 7, 10])
      expect(await verifyAuditTrail(entries, { checkpoint: checkpointAt(entries, sequence), publicKey })).toMatchObject({
        outcome: 'intact',
        checkpoint: { sequence, publicKey },
      })
  })

  it('shows that the end of a trail was cut off or written anew', async () => {
    const entries = ten()
    const checkpoint = checkpointAt(entries, 10)
    expect(await verifyAuditTrail(entries.slice(0, 8), { checkpoint })).toMatchObject({
      fault: { what: 'checkpoint_missed', sequence: 10 },
    })
    const rewritten = [...entries.slice(0, 9), rehashed({ ...entries[9]!, action: 'x' })]
    expect((await verifyAuditTrail(rewritten)).outcome).toBe('intact')
    expect(await verifyAuditTrail(rewritten, { checkpoint })).toMatchObject({ fault: { what: 'checkpoint_differs', sequence: 10 } })
  })

  it('is forged when a word of it, its signature or its key is another', async () => {
    const entries = ten()
    const good = checkpointAt(entries, 7)
    const others: Partial<Checkpoint>[] = [
      { sequence: 6, hash: entries[5]!.hash },
      { organizationId: '00000000-0000-4000-8000-000000000000' },
      { createdAt: '2026-10-02T00:00:00.000Z' },
      { signature: 'AAAA' },
      { signature: '!' },
      { publicKey: 'AAAA' },
    ]
    for (const change of others)
      expect(await verifyAuditTrail(entries, { checkpoint: { ...good, ...change } })).toMatchObject({
        fault: { what: 'checkpoint_forged' },
      })
    const stranger = checkpointAt(entries, 7, generateKeyPairSync('ed25519'))
    expect((await verifyAuditTrail(entries, { checkpoint: stranger })).outcome).toBe('intact')
    expect(await verifyAuditTrail(entries, { checkpoint: stranger, publicKey })).toMatchObject({ fault: { what: 'checkpoint_forged' } })
  })
})

describe('the organization of a trail', () => {
  const id = '7d1f4c9e-0000-4000-8000-000000000000'
  const other = '00000000-0000-4000-8000-000000000000'
  const created = (target = id, slug = 'north') => ({
    action: 'organization.created',
    target: { type: 'organization', id: target, name: 'Northwind' },
    metadata: { slug },
  })
  const exported = (target = id) => ({ action: 'audit.exported', target: { type: 'organization', id: target, name: 'Northwind Ltd' } })
  const trail = () => chain([created(), { action: 'workspace.created', target: { type: 'workspace', id: other, name: 'W' } }, exported()])

  it('is the one that its entries name, and its slug is the one of its beginning', async () => {
    expect((await verifyAuditTrail(trail())).organization).toEqual({ id, slug: 'north', name: 'Northwind Ltd' })
    expect((await verifyAuditTrail(trail().slice(1))).organization).toEqual({ id, slug: null, name: 'Northwind Ltd' })
    expect((await verifyAuditTrail(ten())).organization).toBeNull()
    const entries = ten()
    expect((await verifyAuditTrail(entries, { checkpoint: checkpointAt(entries, 7) })).organization).toEqual({ id, slug: null, name: null })
  })

  it.each([id, id.toUpperCase(), 'north'])('is confirmed as %s', async (organization) => {
    expect(await verifyAuditTrail(trail(), { organization })).toMatchObject({ outcome: 'intact', organization: { id } })
  })

  it('may be known from the checkpoint alone', async () => {
    const entries = ten()
    expect((await verifyAuditTrail(entries, { organization: id, checkpoint: checkpointAt(entries, 10) })).outcome).toBe('intact')
  })

  it.each<[string, () => TestEntry[], object]>([
    ['another id', trail, { organization: other }],
    ['another slug', trail, { organization: 'south' }],
    ['a trail that names none', ten, { organization: id }],
    ['a slug that nobody can know', () => trail().slice(1), { organization: 'north' }],
    // Anyone may take somebody's id for a slug.
    ['a slug that looks like the id', () => chain([created(other, id)]), { organization: id }],
    ['a checkpoint of another organization', () => chain([created(other)]), { checkpoint: checkpointAt(chain([created(other)]), 1) }],
    ['entries of two organizations', () => chain([created(), exported(other)]), {}],
  ])('is refused: %s', async (_, entries, options) => {
    expect(await verifyAuditTrail(entries(), options)).toMatchObject({ outcome: 'broken', fault: { what: 'other_organization' } })
  })
})

describe('the end of a trail', () => {
  it('is proved by a checkpoint of its last entry, and by nothing else', async () => {
    const entries = ten()
    const at = async (sequence: number) => (await verifyAuditTrail(entries, { checkpoint: checkpointAt(entries, sequence) })).endProved
    expect([await at(10), await at(9)]).toEqual([true, false])
    expect((await verifyAuditTrail(entries)).endProved).toBe(false)
  })
})

describe('the lines of a file', () => {
  it('come out whole wherever its bytes were cut', async () => {
    const text = lines(chain([{ name: 'Zoë 🦊' }, { name: '\u2028' }]))
      .map((line) => `${line}\n`)
      .join('')
    const bytes = new TextEncoder().encode(text)
    for (const size of [1, 7, 100_000]) {
      const pieces = async function* () {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
      }
      expect((await verifyAuditTrail(linesOf(pieces()))).outcome).toBe('intact')
    }
  })

  it('keep a last line without an end, for the verifier to refuse', async () => {
    const cut = async function* () {
      yield `${lines(ten()).join('\n')}\n{"id":`
    }
    expect(await verifyAuditTrail(linesOf(cut()))).toMatchObject({ outcome: 'broken', fault: { what: 'unreadable', line: 11 } })
  })
})
