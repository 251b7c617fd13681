// deploy/nightly.sh by itself: what it has adjoin-admin do, and what it reports. That the commands work is tested in production.test.ts.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ROOT } from '../production-tree.ts'

/** In the place of adjoin-admin: it notes what it is asked for, and fails where a file for it is missing. */
const STAND_IN = `#!/bin/sh
echo "$*" >>"$NOTES"
[ "$1" != verify-audit ] || cat "$3" >>"$NOTES"
`

function nightly(env: Record<string, string> = {}, prepare: (folder: string) => void = () => {}) {
  const folder = mkdtempSync(join(tmpdir(), 'adjoin-nightly-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [bin, backups, notes] = ['bin', 'backups', 'notes'].map((name) => join(folder, name)) as [string, string, string]
  for (const path of [bin, backups]) mkdirSync(path)
  writeFileSync(join(bin, 'adjoin-admin'), STAND_IN)
  chmodSync(join(bin, 'adjoin-admin'), 0o755)
  prepare(folder)
  const inside = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replace('FOLDER', folder)]))
  const { status } = spawnSync('sh', [join(ROOT, 'deploy/nightly.sh'), backups], {
    env: { PATH: `${bin}:${process.env.PATH}`, NOTES: notes, ...inside },
  })
  return {
    status,
    asked: readFileSync(notes, 'utf8').replaceAll(`${folder}/`, ''),
    report: readFileSync(join(backups, 'adjoin_nightly.prom'), 'utf8'),
    left: readdirSync(backups),
  }
}

const checkpoint = (folder: string, name: string, text: string) => {
  mkdirSync(join(folder, 'kept'), { recursive: true })
  writeFileSync(join(folder, 'kept', name), `${text}\n`)
}

describe('deploy/nightly.sh', () => {
  it('makes a backup and checks everything; nothing else unless told', () => {
    const { status, asked, report } = nightly()
    expect(status).toBe(0)
    expect(asked).toMatch(/^backup backups\/adjoin-[\dTZ-]+\.backup\ncheck\nkeys\n$/)
    expect(report.match(/^adjoin_nightly_ok.*$/gm)).toEqual(
      ['backup', 'check', 'keys'].map((step) => `adjoin_nightly_ok{step="${step}"} 1`),
    )
  })

  it('encrypts the backup for every recipient', () => {
    const { asked } = nightly({ NIGHTLY_RECIPIENTS: 'age1ada age1bea' })
    expect(asked).toMatch(/^backup \S+\.backup --encrypt age1ada --encrypt age1bea\n/)
  })

  it('compares the trails with a file of checkpoints, or with a folder of them', () => {
    const file = nightly({ NIGHTLY_CHECKPOINTS: 'FOLDER/kept/all.ndjson' }, (folder) => checkpoint(folder, 'all.ndjson', 'one'))
    expect([file.status, file.asked]).toEqual([0, expect.stringContaining('verify-audit --checkpoints kept/all.ndjson\none\n')])
    const folder = nightly({ NIGHTLY_CHECKPOINTS: 'FOLDER/kept' }, (place) => {
      checkpoint(place, 'checkpoints-2026-11-15.ndjson', 'one')
      checkpoint(place, 'checkpoints-2026-11-16.ndjson', 'two')
    })
    expect([folder.status, folder.asked]).toEqual([0, expect.stringContaining('one\ntwo\n')])
    expect(folder.report).toContain('adjoin_nightly_ok{step="checkpoints"} 1\n')
    expect(folder.left.toSorted()).toEqual(['adjoin_nightly.prom'])
  })

  it('fails if there are no checkpoints where they should be', () => {
    for (const place of ['FOLDER/nowhere', 'FOLDER/bin']) {
      const { status, report } = nightly({ NIGHTLY_CHECKPOINTS: place })
      expect([status, report]).toEqual([1, expect.stringContaining('adjoin_nightly_ok{step="checkpoints"} 0\n')])
    }
  })
})
