import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * A port of loopback that nobody listens on. Below those that the system gives away by itself (from 32768 on):
 * between this look and the moment somebody listens, no other server or connection gets it by chance.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + randomInt(12_000)
    const probe = createServer().listen(port, '127.0.0.1')
    const free = await once(probe, 'listening').then(
      () => true,
      () => false,
    )
    if (!free) continue
    await new Promise((resolve) => probe.close(resolve))
    return port
  }
}
