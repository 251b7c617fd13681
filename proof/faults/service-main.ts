// The service as it is, save that its ad systems are twins in another process, which a proxy can come between.
import { run } from '../../api/src/run.ts'

await run({ sandbox: { url: process.env['TWINS_URL']!, close: async () => {} } })
