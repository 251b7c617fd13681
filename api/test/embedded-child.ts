// A process with an embedded PostgreSQL, for tests that kill it:
// says what happened, writes when told, closes when told.
import { type ConnectedDatabase, connectDatabase } from '../src/db/connect.ts'
import { sql } from '../src/db/sql.ts'
import { PATIENT } from './patience.ts'

export type Said = { ready: { adopted: boolean; uid: number } } | { refused: string } | { acknowledged: number } | { closed: true }

const say = (what: Said) => process.send!(what)
const silent = { info: () => {}, warn: () => {} }
process.on('SIGINT', () => {}) // Ctrl-C arrives, requests are being finished

let connected: ConnectedDatabase | undefined
try {
  connected = await connectDatabase({ dataDir: process.argv[2]!, max: 4, prepare: true, timeouts: PATIENT, log: silent })
  say({ ready: { adopted: connected.embedded!.adopted, uid: process.getuid!() } })
} catch (error) {
  say({ refused: (error as Error).message })
  process.disconnect()
}

process.on('message', async (order) => {
  const { db, close } = connected!
  if (order === 'close') {
    await close()
    say({ closed: true })
    process.disconnect()
  } else {
    await db.query(sql`create table if not exists rows (id int primary key)`)
    for (let id = 1; ; id++) {
      await db.query(sql`insert into rows values (${id})`)
      say({ acknowledged: id })
    }
  }
})
