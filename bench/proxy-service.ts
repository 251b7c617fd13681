// The service as it is, with a stand-in where the ad systems are. Ends with its parent.
import { startApp } from '../api/src/app.ts'
import { readConfig } from '../api/src/config.ts'

process.once('message', async ({ env, vendor }: { env: Record<string, string>; vendor: string }) => {
  const app = await startApp(readConfig({ ...env, PORT: '0', ROLES: 'api' }), { sandbox: { url: vendor, close: async () => {} } })
  process.send!(app.url)
})
process.on('disconnect', () => process.exit())
