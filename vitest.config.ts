import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { RepeatsReporter } from './scripts/repeats-reporter.ts'
import { fileSets, LongestFirst } from './scripts/test-order.ts'

const project = (name: keyof typeof fileSets): TestProjectInlineConfiguration => ({
  test: {
    name,
    ...fileSets[name],
    isolate: name === 'alone',
    pool: 'forks',
    maxWorkers: 4,
    // Races, kills and time-outs are played on a machine that may be busy:
    // what fails once and then holds is told, and does not stop a release.
    retry: process.env.CI ? 2 : 0,
    // What is waited for comes, on a busy machine later. These only end a test that would never end:
    // how quick the service is, benchmarks and proofs measure.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    expect: { poll: { timeout: 300_000 } },
  },
})

export default defineConfig({
  test: {
    globalSetup: ['api/test/global-setup.ts'],
    sequence: { sequencer: LongestFirst },
    reporters: ['default', new RepeatsReporter()],
    projects: [project('alone'), project('shared')],
  },
})
