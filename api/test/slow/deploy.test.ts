// What docs/production.md and deploy/ speak of exists:
// metrics, settings, paths, versions. Read from the files themselves.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callOutcomes } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../../src/config.ts'
import { workersPage } from '../../src/processes/metrics-page.ts'
import { parseKeyRing } from '../../src/vault/key-ring.ts'
import { compose, composeServices, ownServices, serviceEnvironment, type YamlMap } from '../compose.ts'
import { fileOf, isIgnored, ROOT, stages } from '../production-tree.ts'
import { createWorld, request, type World } from '../world.ts'

let world: World
let page: string
beforeAll(async () => {
  world = await createWorld({ metricsPort: 0 })
  page = (await request(`http://127.0.0.1:${world.app.metricsPort}/metrics`)).text + workersPage([])
})
afterAll(() => world.stop())

interface AlertRule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly action: string }
}
const rules = () => {
  const { groups } = parse(fileOf('deploy/alerts.yaml')) as { groups: { rules: unknown[] }[] }
  return groups.flatMap((group) => group.rules) as AlertRule[]
}
const manual = fileOf('docs/production.md')
const metricNames = (text: string) => new Set(text.match(/\b(?:adjoin|nodejs|process)_[a-z0-9_]*[a-z0-9]\b/g))
const exported = () => new Set([...page.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!))
const nightly = () => [...fileOf('deploy/nightly.sh').matchAll(/# TYPE (\S+)/g)].map(([, name]) => name!)
/** Accounts, a volume and a file: no metrics, though they look like it. */
const others = ['adjoin_owner', 'adjoin_run', 'adjoin_backups', 'adjoin_nightly']
const unknown = (text: string) =>
  [...metricNames(text)].filter((name) => {
    const base = name.replace(/_(bucket|sum|count)$/, '')
    return !exported().has(name) && !exported().has(base) && !nightly().includes(name) && !others.includes(name)
  })

/** Read by deploy/nightly.sh, not by the service. */
const NIGHTLY = [...fileOf('deploy/nightly.sh').matchAll(/^# +(NIGHTLY_\w+)/gm)].map(([, name]) => name!)

/** Every setting that config.ts reads, by watching it read. */
function settings(): Set<string> {
  const read = new Set<string>()
  const env: Record<string, string> = {}
  for (const name of ['GOOGLE', 'MICROSOFT']) Object.assign(env, { [`${name}_CLIENT_ID`]: 'a', [`${name}_CLIENT_SECRET`]: 'b' })
  readConfig(
    new Proxy(env, {
      get: (target, name: string) => {
        read.add(name)
        return target[name]
      },
    }),
  )
  return read
}

describe('the alert rules', () => {
  it('ask for metrics that the service shows, or that the nightly run leaves', () => {
    const asked = rules()
      .map(({ expr }) => expr)
      .join('\n')
    expect(metricNames(asked).size).toBeGreaterThan(10)
    expect(unknown(asked)).toEqual([])
    expect(unknown('rate(adjoin_wishes_total[5m])')).toEqual(['adjoin_wishes_total'])
  })

  it('select by labels and outcomes that there are', () => {
    const asked = rules()
      .map(({ expr }) => expr)
      .join('\n')
    const values = (label: string) => [...asked.matchAll(new RegExp(`\\b${label}="([^"]+)"`, 'g'))].map(([, value]) => value!)
    const shown = [...page.matchAll(/^adjoin_health\{check="(\w+)"\}/gm)].map(([, check]) => check!)
    expect(shown).toEqual(expect.arrayContaining(values('check')))
    expect(['done', 'retried', 'given_up', ...callOutcomes]).toEqual(expect.arrayContaining(values('outcome')))
    expect([...fileOf('deploy/nightly.sh').matchAll(/^ *step (\w+)/gm)].map(([, step]) => step!)).toEqual([
      'backup',
      'check',
      'keys',
      'checkpoints',
    ])
  })

  it('each have a name of their own, a severity, and say what to do', () => {
    const names = rules().map(({ alert }) => alert)
    expect(new Set(names).size).toBe(names.length)
    for (const { alert, labels, annotations } of rules()) {
      expect(['page', 'ticket'], alert).toContain(labels.severity)
      expect(annotations.summary.length, alert).toBeGreaterThan(20)
      expect(annotations.action.length, alert).toBeGreaterThan(40)
    }
  })
})

describe('docs/production.md', () => {
  it('names metrics that the service shows, and all of our own', () => {
    expect(unknown(manual)).toEqual([])
    const ours = [...exported()].filter((name) => name.startsWith('adjoin_'))
    expect(ours.filter((name) => !manual.includes(`\`${name}\``))).toEqual([])
  })

  it('names every alert', () => {
    expect(
      rules()
        .filter(({ alert }) => !manual.includes(alert))
        .map(({ alert }) => alert),
    ).toEqual([])
  })

  it('has a row for every setting, and no setting that is not read', () => {
    const known = settings()
    const rows = [...manual.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name]) => name!)
    const missing = [...known].filter((name) => !name.endsWith('_FILE') && !rows.includes(name))
    expect(missing).toEqual([])
    expect(new Set(rows).size).toBe(rows.length)
    /** Words in capitals that belong to others: the shell, compose, the image of PostgreSQL. */
    const others = ['NODE_IMAGE', 'NAME_FILE', ...NIGHTLY]
    const named = [...manual.matchAll(/(?<![<\w])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?![\w>])/g)].map(([name]) => name)
    expect([...rows, ...named].filter((name) => !known.has(name) && !others.includes(name) && !name.startsWith('ADJOIN_'))).toEqual([])
  })

  it('points at files and sections that are there', () => {
    const slug = (heading: string) =>
      heading
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-')
    for (const page of ['production.md', 'operations.md'])
      for (const [, target, anchor] of fileOf(`docs/${page}`).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)) {
        const path = join('docs', target || page)
        expect(existsSync(join(ROOT, path)), `${page}: ${target}`).toBe(true)
        if (anchor) expect([...fileOf(path).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => slug(heading!))).toContain(anchor)
      }
    expect(fileOf('docs/operations.md')).toContain('(production.md')
    expect(manual).toContain('(operations.md')
  })
})

describe('compose.yaml', () => {
  it('sets only what the service reads, and enough for every process of it to start', () => {
    const known = settings()
    const shell = { PUBLIC_URL: 'https://adjoin.agency.example', MAIL_FROM: 'no-reply@agency.example' }
    expect(ownServices().map(([name]) => name)).toEqual(['migrate', 'api-1', 'api-2', 'jobs', 'admin', 'nightly'])
    for (const [name] of ownServices())
      expect(
        Object.keys(serviceEnvironment(name, '', shell)).filter((key) => !known.has(key) && !NIGHTLY.includes(key)),
        name,
      ).toEqual([])
    expect(() => serviceEnvironment('api-1', '', { MAIL_FROM: shell.MAIL_FROM })).toThrow('PUBLIC_URL')
  })

  it('holds no secret, and gives each service the files it reads', () => {
    const text = fileOf('compose.yaml').replace(/^#.*$/gm, '')
    expect(text).not.toMatch(/password: |:\/\/[^\s:]+:[^\s@]+@/i)
    const files = Object.entries(compose().secrets as Record<string, YamlMap>)
    for (const [name, { file }] of files) expect([name, file]).toEqual([name, `./deploy/secrets/${name}`])
    for (const { secrets = [] } of Object.values(composeServices()))
      for (const secret of secrets as string[]) expect(files.map(([name]) => name)).toContain(secret)
    expect(fileOf('.gitignore')).toContain('deploy/secrets/')
    for (const path of ['deploy/secrets/seal_keys', '.env', '.git/config', 'data/seal-keys']) expect(isIgnored(path), path).toBe(true)
  })

  it('publishes the balancer alone, believes it alone, and lets it look at every replica', () => {
    const services = composeServices()
    expect(Object.keys(services).filter((name) => services[name]!.ports)).toEqual(['balancer'])
    const { outside } = services.balancer!.networks as { outside: { ipv4_address: string } }
    const replicas = ownServices().filter(([, { environment }]) => (environment as YamlMap).ROLES === 'api')
    for (const [, { environment }] of replicas) expect((environment as YamlMap).TRUSTED_PROXIES).toBe(outside.ipv4_address)
    const caddy = fileOf('deploy/Caddyfile')
    expect(caddy).toContain(`reverse_proxy ${replicas.map(([name]) => `${name}:3000`).join(' ')} {`)
    expect(caddy).toContain('health_uri /health\n')
    expect(caddy.split('{').length).toBe(caddy.split('}').length)
  })

  it('mounts files that are there, and gives a stop more time than the service takes', () => {
    for (const service of Object.values(composeServices()))
      for (const volume of (service.volumes ?? []) as string[])
        if (volume.startsWith('./')) expect(statSync(join(ROOT, volume.split(':')[0]!)).isFile(), volume).toBe(true)
    const [, forced] = /STOP_WITHIN_MS = ([\d_]+)/.exec(fileOf('api/src/run.ts'))!
    for (const [name, { stop_grace_period: grace }] of ownServices())
      expect(Number.parseInt(String(grace), 10) * 1000, name).toBeGreaterThan(Number(forced!.replace('_', '')))
  })
})

describe('the Dockerfile', () => {
  it('builds on the Node that is tested, says which version it holds, and runs as nobody in particular', () => {
    const { version, optionalDependencies } = JSON.parse(fileOf('package.json')) as {
      version: string
      optionalDependencies: Record<string, string>
    }
    const text = fileOf('Dockerfile')
    const [node, ...others] = Object.values(optionalDependencies)
    expect(others.every((other) => other === node)).toBe(true)
    expect(text).toContain(`ARG NODE_IMAGE=node:${node}-bookworm-slim`)
    expect(text.match(/^FROM \$\{NODE_IMAGE\}(?: AS \w+)?$/gm)).toHaveLength(text.match(/^FROM/gm)!.length)
    expect(text).toContain(`org.opencontainers.image.version="${version}"`)
    const image = stages().get('image')!
    expect(image.map(({ name }) => name).lastIndexOf('USER')).toBeGreaterThan(image.map(({ name }) => name).lastIndexOf('COPY'))
    expect(image.filter(({ name }) => name === 'USER').map(({ rest }) => rest)).toEqual(['node'])
    expect(image.find(({ name }) => name === 'STOPSIGNAL')!.rest).toBe('SIGTERM')
  })

  it('copies only what is there and is not left out', () => {
    for (const [stage, instructions] of stages())
      for (const { rest } of instructions.filter(({ name }) => name === 'COPY'))
        if (!rest.startsWith('--from'))
          for (const source of rest.split(/ +/).slice(0, -1)) {
            expect(existsSync(join(ROOT, source)), `${stage}: ${source}`).toBe(true)
            expect(isIgnored(source), `${stage}: ${source}`).toBe(false)
          }
  })
})

describe('deploy/make-secrets.sh', () => {
  it('makes every file that compose.yaml mounts, keeps what is there, and asks for the mail server', () => {
    const folder = mkdtempSync(join(tmpdir(), 'adjoin-secrets-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const run = (env: Record<string, string>) =>
      spawnSync('sh', [join(ROOT, 'deploy/make-secrets.sh'), folder], { env: { PATH: process.env.PATH, ...env }, encoding: 'utf8' })
    const read = (name: string) => readFileSync(join(folder, name), 'utf8').trim()

    const refused = run({})
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('SMTP_URL is required, for example SMTP_URL=smtps://')])
    expect(run({ SMTP_URL: 'smtps://a:b@mail.example:465' }).status).toBe(0)
    for (const name of Object.keys(compose().secrets as YamlMap)) expect(read(name), name).not.toBe('')
    expect(parseKeyRing(read('seal_keys'))).toHaveLength(1)
    expect(read('database_run_url')).toBe(`postgres://adjoin_run:${read('database_run_password')}@postgres:5432/adjoin`)
    const before = read('seal_keys')
    expect(run({ SMTP_URL: 'smtps://other' }).status).toBe(0)
    expect([read('seal_keys'), read('smtp_url')]).toEqual([before, 'smtps://a:b@mail.example:465'])
  })
})
