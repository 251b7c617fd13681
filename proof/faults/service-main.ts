// The service as it is, except that its ad systems are twins behind a proxy.
import { run } from '../../api/src/run.ts'

await run({ sandbox: { url: process.env['TWINS_URL']!, close: async () => {} } })
