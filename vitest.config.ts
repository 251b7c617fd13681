import { defineConfig } from 'vitest/config'
import { BrowsersFirst } from './scripts/browsers-first.ts'

export default defineConfig({
  test: {
    include: ['{contract,api,cli,portal,scripts,proof}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['api/test/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 3,
    sequence: { sequencer: BrowsersFirst },
    // Races, kills and time-outs are played on a machine that may be busy:
    // what fails once and then holds is told, and does not stop a release.
    retry: process.env.CI ? 2 : 0,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is waited for comes, on a busy machine later; a second is no promise that anybody made.
    expect: { poll: { timeout: 20_000 } },
  },
})
