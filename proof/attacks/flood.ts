// The attacker of a pile-up, in a thread of its own,
// so that whoever measures does not wait for it. Bounded in sockets and in time.
import { connect, type Socket } from 'node:net'
import { parentPort, Worker, workerData } from 'node:worker_threads'

export interface Flood {
  readonly port: number
  readonly from: string
  readonly sockets: number
  /** Sent once on each socket, and never read the answer of. */
  readonly opening: string
  /** Sent on each socket again and again: a body that never ends. */
  readonly drip?: string
  /** Answers are read, and each brings the next request: work, not waiting. */
  readonly reading?: boolean
}

/** A cut socket comes back within this long. */
const AGAIN_MS = 3000
const DRIP_MS = 500

export interface Flooding {
  /** Every socket was open once. */
  readonly open: Promise<void>
  /** How often a socket was opened, and how many answers were read. */
  stop(): Promise<{ opened: number; answers: number }>
}

export function startFlood(floods: readonly Flood[]): Flooding {
  const worker = new Worker(new URL(import.meta.url), { workerData: floods })
  const next = <T>() =>
    new Promise<T>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
    })
  const open = next<void>()
  open.catch(() => {}) // whoever stops it hears of it
  return {
    open,
    async stop() {
      await open
      const told = next<{ opened: number; answers: number }>()
      worker.postMessage('stop')
      return told
    },
  }
}

function flood(floods: readonly Flood[]): void {
  const sockets = new Set<Socket>()
  const timers = new Set<NodeJS.Timeout>()
  const all = floods.reduce((sum, one) => sum + one.sockets, 0)
  let opened = 0
  let answers = 0
  const open = (one: Flood) => {
    const socket = connect({ host: '127.0.0.1', port: one.port, localAddress: one.from }, () => {
      socket.write(one.opening)
      if (one.drip) {
        const timer = setInterval(() => socket.write(one.drip!), DRIP_MS)
        socket.on('close', () => clearInterval(timer))
      }
      if (++opened === all) parentPort!.postMessage(undefined)
    })
    sockets.add(socket)
    if (one.reading)
      socket.on('data', (chunk) => {
        if (!chunk.includes('HTTP/1.1 ')) return
        answers++
        socket.write(one.opening)
      })
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      timers.add(setTimeout(open, Math.random() * AGAIN_MS, one))
    })
  }
  for (const one of floods) for (let i = 0; i < one.sockets; i++) open(one)
  parentPort!.once('message', () => {
    for (const timer of timers) clearTimeout(timer)
    for (const socket of sockets) {
      socket.removeAllListeners('close')
      socket.destroy()
    }
    parentPort!.postMessage({ opened, answers })
    process.exit() // of this thread: drips included
  })
}

if (workerData) flood(workerData as Flood[])
