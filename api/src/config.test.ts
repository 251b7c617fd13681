import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ConfigurationError, environmentWithFile, readConfig } from './config.ts'
import { newSealKey } from './vault/key-ring.ts'

type TestEnv = Record<string, string>
const ring = newSealKey('2026a')
const production: TestEnv = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://adjoin:secret@db.internal/adjoin',
  SMTP_URL: 'smtps://user:secret@mail.example:465',
  SEAL_KEYS: ring,
  PUBLIC_URL: 'https://adjoin.example',
}
const faults = (env: TestEnv): string[] => {
  try {
    readConfig(env)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError)
    return (error as Error).message.split('\n').filter((line) => line.startsWith('  - '))
  }
  return []
}
const folder = () => {
  const path = mkdtempSync(join(tmpdir(), 'adjoin-config-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

/** Name → values that are taken, with what becomes of them, and values that are not. */
const settings: Record<string, { good: [string, object][]; bad: string[] }> = {
  NODE_ENV: { good: [['test', { environment: 'test' }]], bad: ['prod', 'Production'] },
  PORT: {
    good: [
      ['0', { port: 0, publicUrl: 'http://localhost:3000' }],
      ['8080', { port: 8080, publicUrl: 'http://localhost:8080' }],
    ],
    bad: ['-1', '65536', '80a', '1e3', '80.5'],
  },
  HOST: {
    good: [
      ['0.0.0.0', { host: '0.0.0.0' }],
      ['::', { host: '::' }],
      ['localhost', { host: 'localhost' }],
    ],
    bad: ['http://a', 'a b', '-'],
  },
  PUBLIC_URL: {
    good: [['https://a.example/', { publicUrl: 'https://a.example' }]],
    bad: ['a.example', 'https://a.example/path', 'ftp://a.example', 'https://user@a.example', 'https://a.example?x'],
  },
  TRUSTED_ORIGINS: {
    good: [['https://a.example, https://b.example:8443', { trustedOrigins: ['https://a.example', 'https://b.example:8443'] }]],
    bad: ['*', 'https://*.a.example', 'https://a.example/x', 'a.example'],
  },
  TRUSTED_PROXIES: {
    good: [['10.0.0.0/8,::1', { trustedProxies: ['10.0.0.0/8', '::1'] }]],
    bad: ['10.0.0.0/33', 'proxy.internal', '10.0.0.1/a', '0.0.0.0/0/0', '*', '0.0.0.0/0', '10.0.0.0/8,::/0'],
  },
  DATA_DIR: { good: [['/var/lib/adjoin', { dataDir: '/var/lib/adjoin' }]], bad: [] },
  DATABASE_URL: {
    good: [
      ['postgresql://a/b', { databaseUrl: 'postgresql://a/b' }],
      ['postgres://u@a,b/d?target_session_attrs=primary', { databaseUrl: 'postgres://u@a,b/d?target_session_attrs=primary' }],
    ],
    bad: [
      'mysql://a/b',
      'a/b',
      'postgres://u:p@a,b/d',
      'postgres://u:p@a,b/d?target_session_attrs=standby',
      'postgres://u:p@a,/d?target_session_attrs=read-write',
    ],
  },
  DATABASE_POOL: {
    good: [
      ['2', { databasePool: 2 }],
      ['500', { databasePool: 500 }],
    ],
    bad: ['1', '501', 'many'],
  },
  DATABASE_PREPARE: { good: [['false', { databasePrepare: false }]], bad: ['no', '0', 'TRUE'] },
  SEAL_KEYS: { good: [[ring, { sealKeys: [{ id: '2026a' }] }]], bad: ['2026a:short', 'a', `a:${Buffer.alloc(32).toString('base64')}`] },
  SMTP_URL: { good: [['smtp://mail:25', { smtpUrl: 'smtp://mail:25' }]], bad: ['mail:25', 'http://mail'] },
  MAIL_FROM: {
    good: [
      ['a@b.example', { mailFrom: 'a@b.example' }],
      ['Ad Join <a@b.example>', { mailFrom: 'Ad Join <a@b.example>' }],
    ],
    bad: ['nobody', 'A <a@b', 'a@b\nBcc: c@d', 'a b@c'],
  },
  GOOGLE_CLIENT_ID: { good: [], bad: ['alone'] },
  GOOGLE_CLIENT_SECRET: { good: [], bad: ['alone'] },
  MICROSOFT_CLIENT_ID: { good: [], bad: ['alone'] },
  MICROSOFT_CLIENT_SECRET: { good: [], bad: ['alone'] },
  AUDIT_CHECKPOINTS: {
    good: [
      ['file:///var/checkpoints.ndjson', { auditCheckpoints: { how: 'append', path: '/var/checkpoints.ndjson', folder: false } }],
      ['file:///var/checkpoints/', { auditCheckpoints: { how: 'append', path: '/var/checkpoints/', folder: true } }],
      ['https://a.example/hook', { auditCheckpoints: { how: 'POST', address: 'https://a.example/hook' } }],
      ['PUT https://a.example/{name}?sig=1', { auditCheckpoints: { how: 'PUT', address: 'https://a.example/{name}?sig=1' } }],
    ],
    bad: [
      '/var/checkpoints',
      'file://host/checkpoints',
      'http://a.example/hook',
      'DELETE https://a.example',
      'https://user:word@a.example',
    ],
  },
  SECURITY_CONTACT: {
    good: [
      ['security@agency.example', { securityContact: 'mailto:security@agency.example' }],
      ['mailto:security@agency.example', { securityContact: 'mailto:security@agency.example' }],
      ['https://agency.example/report', { securityContact: 'https://agency.example/report' }],
    ],
    bad: ['security', 'http://agency.example', 'https://u:p@agency.example', 'a@b\nContact: c@d', 'tel:+1', 'https://'],
  },
  SANDBOX: { good: [['false', { sandbox: false }]], bad: ['yes'] },
  ROLES: {
    good: [
      ['jobs', { roles: { api: false, jobs: true } }],
      ['api, jobs', { roles: { api: true, jobs: true } }],
    ],
    bad: ['web', 'api,,jobs', ','],
  },
  WORKERS: {
    good: [
      ['4', { workers: 4 }],
      ['auto', { workers: Math.min(availableParallelism(), 64) }],
    ],
    bad: ['0', '-1', 'abc', '1.5', '65', 'AUTO'],
  },
  LIMITS_FACTOR: {
    good: [
      ['0.5', { limitsFactor: 0.5 }],
      ['1000000', { limitsFactor: 1e6 }],
    ],
    bad: ['0', '-1', 'Infinity', '1e9', '0x10', 'NaN', '1000001'],
  },
  LOG_LEVEL: { good: [['silent', { logLevel: 'silent' }]], bad: ['verbose', 'INFO'] },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    good: [['http://127.0.0.1:4318', { traces: { endpoint: 'http://127.0.0.1:4318', ratio: 1 } }]],
    bad: ['collector:4318', 'grpc://collector'],
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    good: [['Authorization=Bearer%20a%3D%2C, x-team=ads', { traces: { headers: { authorization: 'Bearer a=,', 'x-team': 'ads' } } }]],
    bad: ['x-team', 'a=%zz', '=secretsecret'],
  },
  OTEL_SERVICE_NAME: { good: [['adjoin-eu', { traces: { serviceName: 'adjoin-eu' } }]], bad: [] },
  OTEL_TRACES_SAMPLER_ARG: {
    good: [
      ['0.1', { traces: { ratio: 0.1 } }],
      ['0', { traces: { ratio: 0 } }],
    ],
    bad: ['10%', '1.5', '-1'],
  },
  METRICS_PORT: { good: [['9464', { metricsPort: 9464 }]], bad: ['all', '70000'] },
  METRICS_HOST: { good: [['0.0.0.0', { metricsHost: '0.0.0.0' }]], bad: ['http://a', '*'] },
  COMMIT: { good: [['abc', { build: { commit: 'abc' } }]], bad: [] },
  BUILT_AT: { good: [['2026-01-01', { build: { builtAt: '2026-01-01' } }]], bad: [] },
}

describe.each(Object.entries(settings))('%s', (name, { good, bad }) => {
  it.each(good)('takes %s', (value, expected) => {
    expect(readConfig({ [name]: value })).toMatchObject(expected)
  })

  it.each(bad)('refuses %s, says what is expected, shows an example, and does not repeat what may be secret', (value) => {
    const lines = faults({ [name]: value })
    expect(lines.join()).toContain(name)
    expect(lines.join()).toMatch(new RegExp(`for example ${name}=\\S|set both or neither`))
    if (value.length > 8) expect(lines.join()).not.toContain(value)
  })

  if (good.length)
    it('comes from a file as well', () => {
      const file = join(folder(), 'value')
      writeFileSync(file, `${good[0]![0]}\n`)
      expect(readConfig({ [`${name}_FILE`]: file })).toMatchObject(good[0]![1])
      expect(faults({ [`${name}_FILE`]: `${file}.gone` }).join()).toContain(`${name}_FILE must name a readable file`)
      expect(faults({ [`${name}_FILE`]: file, [name]: good[0]![0] }).join()).toContain(`${name} and ${name}_FILE are both set`)
    })
})

describe('a configuration', () => {
  it('needs nothing in development', () => {
    expect(readConfig({})).toMatchObject({
      environment: 'development',
      port: 3000,
      host: '127.0.0.1',
      metricsHost: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      dataDir: './data',
      databasePool: 10,
      databasePrepare: true,
      mailFrom: 'Adjoin <no-reply@localhost>',
      trustedOrigins: [],
      trustedProxies: [],
      sandbox: true,
      logLevel: 'info',
      roles: { api: true, jobs: true },
      limitsFactor: 1,
    })
  })

  it('treats an empty variable as none', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: ' ', SEAL_KEYS: '' })).toEqual(readConfig({}))
  })

  it('is complete in production with four settings, without stand-ins', () => {
    expect(readConfig(production)).toMatchObject({ environment: 'production', sandbox: false })
  })

  it.each(['DATABASE_URL', 'SMTP_URL', 'SEAL_KEYS', 'PUBLIC_URL'])('names %s when production lacks it', (name) => {
    const { [name]: _, ...rest } = production
    expect(faults(rest)).toEqual([expect.stringMatching(new RegExp(`${name} .* production, for example ${name}=`))])
  })

  it('allows neither http nor stand-ins in production', () => {
    expect(faults({ ...production, PUBLIC_URL: 'http://adjoin.example' })).toEqual([expect.stringContaining('PUBLIC_URL must be https')])
    expect(faults({ ...production, SANDBOX: 'true' })).toEqual([expect.stringContaining('SANDBOX can’t be true')])
  })

  it('tells every mistake at once', () => {
    expect(faults({ PORT: 'x', LOG_LEVEL: 'x', ROLES: 'x' })).toHaveLength(3)
  })

  it('takes an identity provider whole', () => {
    const google = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }
    expect(readConfig(google).identity.google).toEqual({ clientId: 'id', clientSecret: 'secret', issuer: 'https://accounts.google.com' })
    expect(readConfig({ ...google, GOOGLE_ISSUER: 'http://127.0.0.1:4000' }).identity.google!.issuer).toBe('http://127.0.0.1:4000')
    expect(faults({ ...google, GOOGLE_ISSUER: 'http://issuer.example' }).join()).toContain('GOOGLE_ISSUER must be')
  })

  it('takes a number of daily calls for any ad system, or none', () => {
    for (const value of ['1', '15000', 'none'])
      expect(readConfig({ ADJOIN_TIKTOK_ADS_DAILY_CALLS: value }).providerSettings).toEqual({ ADJOIN_TIKTOK_ADS_DAILY_CALLS: value })
    for (const value of ['0', '-1', '1.5', '15k', 'unlimited', '1e6'])
      expect(faults({ ADJOIN_TIKTOK_ADS_DAILY_CALLS: value }).join()).toContain('ADJOIN_TIKTOK_ADS_DAILY_CALLS must be a number of calls')
  })

  it('reads .env if there is one, and the environment wins over it', () => {
    const file = join(folder(), '.env')
    expect(environmentWithFile(file, { PORT: '1' })).toEqual({ PORT: '1' })
    writeFileSync(file, '# comment\nPORT=2\nHOST="0.0.0.0"\n')
    expect(environmentWithFile(file, { PORT: '1' })).toEqual({ PORT: '1', HOST: '0.0.0.0' })
  })
})

describe('.env.example', () => {
  const text = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')
  const documented = [...text.matchAll(/^# ([A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!] as const)

  it('documents every setting that is read, and no other', () => {
    const read = new Set<string>()
    const env: TestEnv = { GOOGLE_CLIENT_ID: 'a', GOOGLE_CLIENT_SECRET: 'b', MICROSOFT_CLIENT_ID: 'a', MICROSOFT_CLIENT_SECRET: 'b' }
    const get = (target: TestEnv, name: string) => {
      read.add(name.replace(/_FILE$/, ''))
      return target[name]
    }
    readConfig(new Proxy(env, { get }))
    const names = documented.map(([name]) => name).filter((name) => !name.startsWith('ADJOIN_'))
    expect(names.toSorted()).toEqual([...read].toSorted())
    expect(documented.some(([name]) => name.startsWith('ADJOIN_'))).toBe(true)
  })

  it('tests every one of them here', () => {
    const tested = new Set([...Object.keys(settings), 'GOOGLE_ISSUER', 'MICROSOFT_ISSUER'])
    expect(documented.map(([name]) => name).filter((name) => !tested.has(name) && !name.startsWith('ADJOIN_'))).toEqual([])
  })

  it('shows values that can be used as they stand', () => {
    const values = documented.filter(([name, value]) => value && name !== 'SEAL_KEYS' && !name.endsWith('_ISSUER'))
    expect(() => readConfig(Object.fromEntries(values))).not.toThrow()
  })
})
