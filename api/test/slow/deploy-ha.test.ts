// What deploy/ha and compose.ha.yaml say fits together, and has the options that a failover without losses depends on.
// `npm run proof -- failover` carries out the same files, where Patroni is installed.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { composeServices, type YamlMap } from '../compose.ts'
import { fileOf, ROOT } from '../production-tree.ts'

const cluster = () => parse(fileOf('compose.ha.yaml'), { merge: true }) as Record<string, Record<string, YamlMap>>
const services = () => cluster()['services']!
const environment = (name: string) => services()[name]!['environment'] as Record<string, string>
const address = (name: string) => (services()[name]!['networks'] as { cluster: { ipv4_address: string } }).cluster.ipv4_address
const NODES = ['db-1', 'db-2', 'db-3']
const ETCDS = ['etcd-1', 'etcd-2', 'etcd-3']
const HAPROXIES = ['haproxy-1', 'haproxy-2']

describe('deploy/ha/patroni.yml', () => {
  const { bootstrap, postgresql, watchdog, restapi } = parse(fileOf('deploy/ha/patroni.yml'))

  it('acknowledges only what a standby has, and lets only that one take over', () => {
    expect(bootstrap.dcs).toMatchObject({ ttl: 20, synchronous_mode: true, synchronous_node_count: 1, failsafe_mode: true })
    expect(bootstrap.dcs.postgresql.parameters.synchronous_commit).toBe('on')
    const { loop_wait, retry_timeout, ttl } = bootstrap.dcs
    expect(loop_wait + 2 * retry_timeout, 'Patroni changes them otherwise').toBeLessThanOrEqual(ttl)
  })

  it('fences, rewinds, and checks its pages', () => {
    expect(watchdog).toMatchObject({ device: '/dev/watchdog', safety_margin: 5 })
    expect(['automatic', 'required']).toContain(watchdog.mode)
    expect(bootstrap.dcs.postgresql.use_pg_rewind).toBe(true)
    expect(bootstrap.initdb).toContain('data-checksums')
  })

  it('lets nobody in without a password, and holds none', () => {
    for (const line of bootstrap.dcs.postgresql.pg_hba as string[]) expect(line).toMatch(/ scram-sha-256$/)
    for (const account of Object.values(postgresql.authentication)) expect(account).not.toHaveProperty('password')
    expect(restapi).not.toHaveProperty('authentication')
    const start = fileOf('deploy/ha/node.sh')
    for (const name of ['SUPERUSER', 'REPLICATION', 'REWIND', 'RESTAPI']) expect(start).toContain(`PATRONI_${name}_PASSWORD="$(cat `)
  })
})

describe('deploy/ha/haproxy.cfg', () => {
  const text = fileOf('deploy/ha/haproxy.cfg')

  it('asks Patroni who is the primary, and closes what is open to one that no longer is', () => {
    expect(text).toContain('http-check send meth OPTIONS uri /primary\n')
    const [, inter, fall] = /^ +default-server inter (\d)s .*fall (\d) .*on-marked-down shutdown-sessions$/m.exec(text)!
    const [, timeout] = /timeout check (\d)s/.exec(text)!
    const { ttl } = parse(fileOf('deploy/ha/patroni.yml')).bootstrap.dcs
    expect((Number(inter) + Number(timeout)) * Number(fall), 'before another one can take over').toBeLessThan(ttl / 2)
  })

  it('takes its addresses from compose.ha.yaml, and is accepted by HAProxy where that is installed', () => {
    const asked = [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name!)
    for (const name of HAPROXIES) expect(Object.keys(environment(name)).toSorted()).toEqual([...new Set(asked)].toSorted())
    for (const [i, node] of NODES.entries()) expect(environment('haproxy-1')[`DB_${i + 1}`]).toBe(`${address(node)}:5432`)
    const checked = spawnSync('haproxy', ['-c', '-f', join(ROOT, 'deploy/ha/haproxy.cfg')], {
      env: { PATH: `${process.env.PATH}:/usr/sbin`, ...strings(environment('haproxy-1')) },
      encoding: 'utf8',
    })
    if (!checked.error) expect([checked.status, checked.stderr]).toEqual([0, ''])
  })
})

describe('compose.ha.yaml', () => {
  it('runs the service as compose.yaml does, on another database', () => {
    const ours = Object.entries(composeServices()).filter(([name]) => name !== 'postgres')
    const theirs = services()
    const rest = ({ environment: _env, secrets: _secrets, depends_on: _after, ...others }: YamlMap) => others
    const settings = ({ environment: env }: YamlMap) => ({ ...(env as YamlMap), DATABASE_URL_FILE: '' })
    for (const [name, service] of ours) {
      expect(rest(theirs[name]!), name).toEqual(rest(service))
      if (name !== 'balancer') expect(settings(theirs[name]!), name).toEqual(settings(service))
    }
    expect(Object.keys(theirs).toSorted()).toEqual([...ours.map(([name]) => name), ...NODES, ...ETCDS, ...HAPROXIES].toSorted())
    expect(environment('nightly')['DATABASE_URL_FILE']).toBe('/run/secrets/ha_database_standby_url')
  })

  it('has the nodes, etcd and HAProxy know each other', () => {
    const members = ETCDS.map((name) => address(name))
    for (const name of NODES) {
      expect(environment(name)['PATRONI_ETCD3_HOSTS']).toBe(members.map((one) => `'${one}:2379'`).join())
      expect(environment(name)['PATRONI_POSTGRESQL_CONNECT_ADDRESS']).toBe(`${address(name)}:5432`)
      expect(environment(name)['PATRONI_RESTAPI_CONNECT_ADDRESS']).toBe(`${address(name)}:8008`)
      expect(environment(name)['PATRONI_NAME']).toBe(name)
    }
    for (const [i, name] of ETCDS.entries()) {
      expect(environment(name)['ETCD_INITIAL_CLUSTER']).toBe(ETCDS.map((one, j) => `${one}=http://${members[j]}:2380`).join())
      expect(environment(name)['ETCD_INITIAL_ADVERTISE_PEER_URLS']).toBe(`http://${members[i]}:2380`)
    }
    const volumes = [...NODES, ...ETCDS].flatMap((name) => services()[name]!['volumes'] as string[])
    expect(new Set(volumes.map((one) => one.split(':')[0])).size, 'each has its own disk').toBe(volumes.length)
    expect(Object.keys(services()).filter((name) => services()[name]!['ports'])).toEqual(['balancer'])
  })

  it('refers to files that are there, to volumes, networks and secrets that it declares, and holds no secret', () => {
    const { volumes, networks, secrets } = cluster()
    for (const [name, service] of Object.entries(services())) {
      for (const volume of (service['volumes'] ?? []) as string[]) {
        const [source] = volume.split(':')
        if (source!.startsWith('./')) expect(statSync(join(ROOT, source!)).isFile(), volume).toBe(true)
        else expect(Object.keys(volumes!), name).toContain(source)
      }
      const joined = Array.isArray(service['networks']) ? service['networks'] : Object.keys(service['networks'] as YamlMap)
      for (const network of joined) expect(Object.keys(networks!), name).toContain(network)
      for (const secret of (service['secrets'] ?? []) as string[]) expect(Object.keys(secrets!), name).toContain(secret)
      for (const value of Object.values((service['environment'] ?? {}) as YamlMap)) {
        const [, file] = /^\/run\/secrets\/(\w+)$/.exec(String(value)) ?? []
        if (file) expect(service['secrets'], name).toContain(file)
      }
      if (service['env_file']) expect(existsSync(join(ROOT, String(service['env_file']))), name).toBe(true)
    }
    expect(fileOf('compose.ha.yaml').replace(/^#.*$/gm, '')).not.toMatch(/password: |:\/\/[^\s:]+:[^\s@]+@/i)
    for (const line of fileOf('deploy/ha/etcd.env').trim().split('\n')) expect(line).toMatch(/^(#.*|ETCD_[A-Z_]+=\w+)$/)
  })

  it('gets its secrets from deploy/ha/make-secrets.sh, which keeps what is there', () => {
    const folder = mkdtempSync(join(tmpdir(), 'adjoin-ha-secrets-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const run = () =>
      spawnSync('sh', [join(ROOT, 'deploy/ha/make-secrets.sh'), folder], {
        env: { PATH: process.env.PATH, SMTP_URL: 'smtps://a:b@mail.example:465' },
        encoding: 'utf8',
      })
    const made = run()
    expect([made.status, made.stderr]).toEqual([0, ''])
    const read = (name: string) => readFileSync(join(folder, name), 'utf8').trim()
    const all = Object.keys(cluster()['secrets']!)
    for (const name of all) expect(read(name), name).not.toBe('')
    const password = read('database_run_password')
    expect(read('ha_database_run_url')).toBe(
      `postgres://adjoin_run:${password}@haproxy-1:5432,haproxy-2:5432/adjoin?target_session_attrs=read-write`,
    )
    expect(read('ha_database_standby_url')).toBe(`postgres://adjoin_run:${password}@haproxy-1:5433/adjoin`)
    const before = all.map(read)
    expect(run().status).toBe(0)
    expect(all.map(read)).toEqual(before)
  })
})

describe('deploy/ha/Dockerfile', () => {
  const text = fileOf('deploy/ha/Dockerfile')

  it('installs a Patroni that loses nothing', () => {
    const [major, minor, patch] = /PATRONI_VERSION=(\d+)\.(\d+)\.(\d+)$/m.exec(text)!.slice(1).map(Number)
    expect(major! * 10_000 + minor! * 100 + patch!).toBeGreaterThanOrEqual(30_003)
    expect(text).not.toMatch(/install.* patroni[ \n]/)
  })

  it('copies what is there and what the builder is given', () => {
    const given = fileOf('deploy/.dockerignore').matchAll(/^!(.+)$/gm)
    const sources = [...text.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, list]) => list!.split(' '))
    for (const source of sources) expect(existsSync(join(ROOT, 'deploy', source)), source).toBe(true)
    expect(sources.toSorted()).toEqual([...given].map(([, path]) => path!).toSorted())
  })
})

describe('deploy/ha/alerts.yaml', () => {
  it('has rules with names of their own, which say what to do and stand in the manual', () => {
    const rulesOf = (file: string) => (parse(fileOf(file)) as { groups: { rules: Rule[] }[] }).groups.flatMap(({ rules }) => rules)
    const [ours, others] = [rulesOf('deploy/ha/alerts.yaml'), rulesOf('deploy/alerts.yaml')]
    const names = [...ours, ...others].map(({ alert }) => alert)
    expect(new Set(names).size).toBe(names.length)
    for (const { alert, labels, annotations } of ours) {
      expect(['page', 'ticket'], alert).toContain(labels.severity)
      expect(annotations.summary.length, alert).toBeGreaterThan(20)
      expect(annotations.action.length, alert).toBeGreaterThan(40)
      expect(fileOf('docs/production.md'), alert).toContain(alert)
    }
  })
})

interface Rule {
  readonly alert: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly action: string }
}

const strings = (env: Record<string, unknown>) => Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)]))
