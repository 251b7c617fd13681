import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below those that the kernel gives to outgoing connections: nobody takes it while its owner is dead. */
const [LOWEST, HIGHEST] = [15_000, 32_000]
const taken = new Set<number>()

/** A port of loopback that nobody listens on, for a server that dies and comes back. */
export async function lastingPort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST))
    if (taken.has(port)) continue
    const probe = createServer()
    const free = await Promise.race([
      once(probe.listen(port, '127.0.0.1'), 'listening').then(() => true),
      once(probe, 'error').then(() => false),
    ]).catch(() => false)
    if (!free) continue
    taken.add(port)
    await new Promise((resolve) => probe.close(resolve))
    return port
  }
}
