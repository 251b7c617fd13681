// deploy/systemd/adjoin.service: read here, and judged by systemd itself where that is installed.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { STOP_WITHIN_MS } from '../../src/heartbeat.mjs'
import { newSealKey } from '../../src/vault/key-ring.ts'
import { compose, type YamlMap } from '../compose.ts'
import { fileOf, ROOT } from '../production-tree.ts'

const text = fileOf('deploy/systemd/adjoin.service')
const linesOf = (name: string) => [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!)
/** Most that the unit could give away, by systemd's own points: 10 is everything, and up to 2 is called fine. */
const MOST_EXPOSED = 2

describe('the unit', () => {
  it('starts the command of the image, in a folder where it is', () => {
    const [start] = linesOf('ExecStart')
    const command = JSON.parse(/^CMD (\[.*\])$/m.exec(fileOf('Dockerfile'))![1]!) as string[]
    expect(start).toBe(`/usr/bin/${command.join(' ')}`)
    expect(existsSync(join(ROOT, command.at(-1)!))).toBe(true)
    expect(fileOf('docs/production.md')).toContain(linesOf('WorkingDirectory')[0])
  })

  it('sets what the service reads, and gives it the secrets that make-secrets.sh makes', () => {
    const settings = Object.fromEntries(linesOf('Environment').flatMap((line) => line.split(' ').map((pair) => pair.split('=')))) as YamlMap
    const credentials = linesOf('LoadCredential').map((line) => line.split(':'))
    for (const [name, file] of credentials) {
      expect(Object.keys(compose().secrets as YamlMap)).toContain(name)
      expect(file).toBe(`/etc/adjoin/secrets/${name}`)
    }
    const files = Object.entries(settings).filter(([name]) => name.endsWith('_FILE'))
    expect(files.map(([, file]) => file)).toEqual(credentials.map(([name]) => `%d/${name}`))
    // The file of the operator adds PUBLIC_URL, and nothing else is required.
    const secrets = { DATABASE_URL: 'postgres://a@b/c', SMTP_URL: 'smtp://a', SEAL_KEYS: newSealKey('a') }
    const plain = Object.entries(settings).filter(([name]) => !name.endsWith('_FILE'))
    expect(files.map(([name]) => name)).toEqual(['DATABASE_URL_FILE', 'SEAL_KEYS_FILE', 'SMTP_URL_FILE'])
    const config = readConfig({ ...Object.fromEntries(plain), ...secrets, PUBLIC_URL: 'https://a.example' } as Record<string, string>)
    expect(config).toMatchObject({ environment: 'production', workers: expect.any(Number) })
  })

  it('gives a stop more time than it takes, and a reload the signal that replaces processes', () => {
    expect(Number(linesOf('TimeoutStopSec')[0]) * 1000).toBeGreaterThan(STOP_WITHIN_MS)
    expect(linesOf('ExecReload')).toEqual(['/bin/kill -HUP $MAINPID'])
    expect(linesOf('KillMode')).toEqual(['mixed'])
  })
})

const isInstalled = spawnSync('systemd-analyze', ['--version']).status === 0
describe.skipIf(!isInstalled)('systemd', () => {
  const folder = mkdtempSync(join(tmpdir(), 'adjoin-unit-'))
  const unit = join(folder, 'adjoin.service')
  beforeAll(() => writeFileSync(unit, text.replace('/usr/bin/node', process.execPath)))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const analyze = (...args: string[]) => spawnSync('systemd-analyze', [...args, unit], { encoding: 'utf8' })

  it('finds no fault in it', () => {
    const { status, stderr } = analyze('verify', '--man=no')
    expect([status, stderr]).toEqual([0, ''])
  })

  it('finds it well protected', () => {
    const { status, stdout } = analyze('security', '--offline=true', `--threshold=${MOST_EXPOSED * 10}`, '--no-pager')
    expect([status, stdout.split('\n').filter((line) => line.includes('Overall'))]).toEqual([0, [expect.stringContaining('OK')]])
  })
})
