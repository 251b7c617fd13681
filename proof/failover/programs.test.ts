import { describe, expect, it } from 'vitest'
import { findPrograms, isOlder, NotFound } from './programs.ts'

describe.runIf(process.platform === 'linux')('what a cluster is made of', () => {
  it('is not found where Patroni is not installed: nothing is proved, and nothing failed', () => {
    expect(() => findPrograms({ PATH: '/nowhere' })).toThrow(NotFound)
    expect(() => findPrograms({ PATH: process.env.PATH, PATRONI: 'false' })).toThrow('`false --version` does not work here')
  })

  it('is refused with a Patroni that loses acknowledged changes, as Debian 12 has it', () => {
    const old = () => findPrograms({ PATH: process.env.PATH, PATRONI: 'echo patroni 3.0.2' })
    expect(old).toThrow('Patroni 3.0.2 loses acknowledged changes: before 3.0.3')
    expect(old).not.toThrow(NotFound)
  })

  it('compares versions part by part', () => {
    expect(['2.1.9', '3.0.2', '3.0'].map((version) => isOlder(version, [3, 0, 3]))).toEqual([true, true, true])
    expect(['3.0.3', '3.0.10', '3.3.1', '4.0.0'].map((version) => isOlder(version, [3, 0, 3]))).toEqual([false, false, false, false])
  })
})
