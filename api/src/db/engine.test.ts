import { describe, expect, it } from 'vitest'
import { foreignEngine, refuseEngine } from './engine.ts'

const postgres = [
  'PostgreSQL 15.14 (Debian 15.14-0+deb12u1) on aarch64-unknown-linux-gnu, compiled by gcc (Debian 12.2.0-14+deb12u1) 12.2.0, 64-bit',
  'PostgreSQL 17.6 on x86_64-pc-linux-musl, compiled by gcc (Alpine 14.2.0) 14.2.0, 64-bit',
  'PostgreSQL 18beta1 on x86_64-pc-linux-gnu, compiled by gcc, 64-bit',
  'EnterpriseDB 15.4.0 on x86_64-pc-linux-gnu, compiled by gcc (GCC) 8.5.0 20210514 (Red Hat 8.5.0-18), 64-bit',
]

const others: [version: string, name: string][] = [
  ['CockroachDB CCL v23.1.11 (x86_64-pc-linux-gnu, built 2023/09/27 01:53:43, go1.19.10)', 'CockroachDB'],
  ['PostgreSQL 11.2-YB-2.20.1.3-b0 on x86_64-pc-linux-gnu, compiled by clang version 16.0.6, 64-bit', 'YugabyteDB'],
  ['PostgreSQL 15.2-YB-2.25.0.0-b0 on x86_64-pc-linux-gnu, compiled by clang version 17.0.6, 64-bit', 'YugabyteDB'],
  [
    'PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC gcc (GCC) 3.4.2 20041017 (Red Hat 3.4.2-6.fc3), Redshift 1.0.40325',
    'Amazon Redshift',
  ],
  ['PostgreSQL 12.12 (Greenplum Database 7.0.0 build commit:0a7a3566873325aca1789ae6f818c80f17a9402d) on x86_64-pc-linux-gnu', 'Greenplum'],
  ['PostgreSQL 13.14.0-RisingWave-2.0.1 (0d15632ac8d18fbd323982b53bc2d508dc7e148a)', 'RisingWave'],
  ['QuestDB 7.3', 'QuestDB'],
  ['', 'an unknown engine'],
]

describe('what answers at DATABASE_URL', () => {
  it.each(postgres)('is PostgreSQL: %s', (version) => {
    expect(foreignEngine(version)).toBeUndefined()
    expect(() => refuseEngine({ version, number: 150014 })).not.toThrow()
  })

  it.each(others)('is refused by name, whatever version of PostgreSQL it claims: %s', (version, name) => {
    expect(() => refuseEngine({ version, number: 150002 })).toThrow(
      `DATABASE_URL points to ${name}, which Adjoin does not run on. Use PostgreSQL 15 or later`,
    )
  })

  it('may be too old', () => {
    const version = 'PostgreSQL 14.9 on x86_64-pc-linux-gnu, compiled by gcc, 64-bit'
    expect(() => refuseEngine({ version, number: 140009 })).toThrow('PostgreSQL 14, but Adjoin needs 15 or later')
  })
})
