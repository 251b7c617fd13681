import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,api,cli,portal,scripts,proof}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['api/test/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
