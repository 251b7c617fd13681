import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateIdentity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { environmentOf, runAdmin } from '../admin-program.ts'
import { createWorld, type World } from '../world.ts'

let world: World
let folder: string
let recipient: string
let keyFile: string
beforeAll(async () => {
  world = await createWorld()
  const organization = await world.organization('Secret Agency')
  await world.workspace(organization)
  folder = mkdtempSync(join(tmpdir(), 'adjoin-encrypted-'))
  keyFile = await newKeyFile('key.txt')
  recipient = readFileSync(keyFile, 'utf8').match(/age1\w+/)![0]
})
afterAll(async () => {
  await world.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** As `age-keygen` writes it. */
async function newKeyFile(name: string): Promise<string> {
  const identity = await generateIdentity()
  const path = join(folder, name)
  writeFileSync(path, `# created: 2026-11-16T08:00:00Z\n# public key: ${await identityToRecipient(identity)}\n${identity}\n`)
  return path
}
const admin = (...args: string[]) => runAdmin(args, environmentOf(world))

describe('an encrypted backup', () => {
  it('is read and restored with its key alone', async () => {
    const file = join(folder, 'adjoin.backup.age')
    const saved = await admin('backup', file, '--encrypt', recipient)
    expect([saved.code, saved.out]).toEqual([0, expect.stringContaining('keep the age key too')])
    expect(readFileSync(file).subarray(0, 21).toString()).toBe('age-encryption.org/v1')

    const checked = await admin('check', file, '--identity', keyFile)
    expect([checked.code, checked.out]).toEqual([0, expect.stringMatching(/can be restored\n.*all intact\n.*all can be opened/)])
    const without = await admin('check', file)
    expect([without.code, without.err]).toEqual([1, expect.stringContaining('is encrypted. Add --identity with the file')])
    const other = await admin('restore', file, '--identity', await newKeyFile('other.txt'))
    expect([other.code, other.err]).toEqual([1, expect.stringContaining('does not open')])
    const none = await admin('restore', file, '--identity', file)
    expect([none.code, none.err]).toEqual([1, expect.stringContaining('does not hold an age key')])

    const damaged = join(folder, 'damaged.age')
    writeFileSync(damaged, readFileSync(file).subarray(0, -40))
    const broken = await admin('check', damaged, '--identity', keyFile)
    expect([broken.code, broken.err]).toEqual([1, expect.stringMatching(/is damaged|is incomplete/)])
  })

  it('is not begun for what is no recipient', async () => {
    const { code, err } = await admin('backup', join(folder, 'never.age'), '--encrypt', 'age1nobody')
    expect([code, err]).toEqual([1, expect.stringContaining('--encrypt must be followed by an age recipient')])
    expect(readdirSync(folder).filter((name) => name.startsWith('never'))).toEqual([])
  })
})

it('a backup never takes the place of a file that is there', async () => {
  const file = join(folder, 'taken.backup')
  writeFileSync(file, 'precious')
  const { code, err } = await admin('backup', file)
  expect([code, err]).toEqual([1, expect.stringContaining('already exists and was not changed. Choose another name')])
  expect(readFileSync(file, 'utf8')).toBe('precious')
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
})
