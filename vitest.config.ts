import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { RunReporter } from './scripts/run-reporter.ts'
import { fileSets, LongestFirst, testFiles } from './scripts/test-order.ts'

const project = (name: keyof typeof fileSets): TestProjectInlineConfiguration => ({
  test: {
    name,
    ...fileSets[name],
    isolate: name === 'alone',
    pool: 'forks',
    maxWorkers: 4,
    // What takes longer hangs, however busy the machine: counted is the time that the process lives through.
    setupFiles: ['scripts/lived-time.ts'],
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
  },
})

export default defineConfig({
  test: {
    globalSetup: ['api/test/global-setup.ts'],
    sequence: { sequencer: LongestFirst },
    reporters: ['default', new RunReporter({ files: process.env.WHOLE_HALF ? testFiles() : [] })],
    projects: [project('alone'), project('shared')],
  },
})
