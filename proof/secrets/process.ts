// The service as its own process, with the twins it is told of: all it writes goes to its parent.
import { startApp } from '../../api/src/app.ts'
import { readConfig } from '../../api/src/config.ts'

const twins = process.env.TWINS
const app = await startApp(readConfig(process.env), twins ? { sandbox: { url: twins, close: async () => {} } } : {})
process.on('SIGTERM', () => void app.stop().then(() => process.exit(0)))
process.on('disconnect', () => process.exit(1))
process.send?.('ready')
