// What operators set for ad systems: the code, .env.example, docs/production.md and `doctor` name the same.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { examine } from '../src/admin/doctor.ts'
import { readConfig } from '../src/config.ts'
import { providers } from '../src/providers/index.ts'
import { refuseMisspelledSettings } from '../src/providers/misspelled-settings.ts'
import { operatorSettings } from '../src/providers/operator-settings.ts'
import { createVendorSessions } from '../src/providers/vendor-sessions.ts'

const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const each = providers.map((provider) => ({ provider, ...operatorSettings(provider) }))
const known = new Set(each.flatMap(({ app, optionalApp, common }) => [...app, ...optionalApp, ...common]))

it('.env.example has every setting of every app, and none that is not read', () => {
  const named = [...textOf('.env.example').matchAll(/^# (ADJOIN_\w+)=/gm)].map(([, name]) => name!)
  const missing = each.flatMap(({ app, optionalApp }) => [...app, ...optionalApp]).filter((name) => !named.includes(name))
  expect(missing, 'add a line `# NAME=` for each to .env.example').toEqual([])
  const unread = named.filter((name) => !known.has(name))
  expect(unread, 'nothing reads these: remove them from .env.example').toEqual([])
  expect(new Set(named).size).toBe(named.length)
})

describe('docs/production.md', () => {
  const manual = textOf('docs/production.md')
  const names = (cell: string) => [...cell.matchAll(/`(ADJOIN_\w+)`/g)].map(([, name]) => name)

  it.each(each.filter(({ app }) => app.length))('has a row for $provider.name', ({ provider, app, optionalApp }) => {
    const row = manual.split('\n').find((line) => line.startsWith(`| ${provider.name} | `))
    expect(row, `add a row for ${provider.name} to the table of apps in docs/production.md`).toBeDefined()
    const [, , required, optional] = row!.split('|')
    expect([names(required!), names(optional!)], 'what its row in docs/production.md names').toEqual([app, optionalApp])
  })

  it('names those that need no app, and no setting that is not read', () => {
    const sentence = manual.split('\n').find((line) => line.includes('need no app'))!
    for (const { provider, app } of each)
      expect(sentence.includes(provider.name), `does docs/production.md say that ${provider.name} needs no app?`).toBe(app.length === 0)
    for (const { provider, app } of each) if (!app.length) expect(provider.authMethod, provider.name).toBe('credentials')
    const named = [...manual.matchAll(/(?<!\w)ADJOIN_[A-Z0-9_]+(?![\w<])/g)].map(([name]) => name).filter((name) => !name.endsWith('_'))
    expect(named.filter((name) => !known.has(name) && name !== 'ADJOIN_IMAGE')).toEqual([])
  })
})

it('all that is read for an ad system is known here', () => {
  const read = new Set<string>()
  const environment = new Proxy({}, { get: (_, name) => void read.add(String(name)) })
  const sessions = createVendorSessions({ environment, http: () => Promise.reject(new Error('nothing is sent')) })
  for (const { provider } of each) sessions.settingsOf(provider)
  const withoutVersion = each.filter(({ provider }) => !provider.version).map(({ common }) => common[0]!.replace('DAILY_CALLS', 'VERSION'))
  expect([...read].filter((name) => !known.has(name) && !withoutVersion.includes(name))).toEqual([])
})

it('a slip in any of them is refused, and names what was meant; other programs’ settings are not judged', () => {
  const slips: ((name: string) => string)[] = [
    (name) => name.slice(0, 10) + name.slice(11),
    (name) => `${name}S`,
    (name) => name.replace(/_(?=[A-Z]+$)/, ''),
  ]
  for (const name of known)
    for (const slip of slips) {
      if (known.has(slip(name))) continue
      expect(() => refuseMisspelledSettings({ [slip(name)]: 'x' }), slip(name)).toThrow(
        `${slip(name)} is not a setting. Did you mean ADJOIN_`,
      )
    }
  expect(() => refuseMisspelledSettings(Object.fromEntries([...known].map((name) => [name, 'x'])))).not.toThrow()
  expect(() =>
    refuseMisspelledSettings({ ADJOIN_IMAGE: 'x', ADJOIN_API_KEY: 'x', ADJOIN_PROFILE: 'x', ADJOIN_WORKSPACE: 'x' }),
  ).not.toThrow()
})

it('doctor knows all of them', async () => {
  const value = (name: string) => (name.endsWith('_HOST') ? 'https://proxy.internal' : name.endsWith('_DAILY_CALLS') ? '1000' : 'x')
  const config = readConfig({
    ...Object.fromEntries([...known].map((name) => [name, value(name)])),
    PUBLIC_URL: 'http://127.0.0.1:9',
    DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none',
  })
  const findings = []
  for await (const finding of examine(config)) if (finding.what === 'provider apps') findings.push(finding)
  expect(findings).toEqual([{ what: 'provider apps', state: 'good', says: 'all 20 ad systems can be connected' }])
})
