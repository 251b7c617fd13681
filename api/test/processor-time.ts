/**
 * What work costs, in milliseconds of this thread's processor time: less than `most` at once, or the least of ten tries.
 * A first try is compiled on the way. A processor that machines share is slower at times, and what it did for others
 * may count as ours: so a known piece of work beside each try says how slow it is. What takes quadratic time takes it
 * every time.
 */
export function processorMs(work: () => unknown, most: number): number {
  let least = spent(work)
  for (let tries = 1; tries < 10 && least > most; tries++) {
    const before = spent(knownWork)
    const ms = spent(work)
    const slowness = Math.max(1, Math.min(before, spent(knownWork)) / KNOWN_MS)
    least = Math.min(least, ms / slowness)
  }
  return least
}

/** Of the known work, on an ordinary machine that has nothing else to do. */
const KNOWN_MS = 60

function knownWork(): number {
  let sum = 0
  for (let i = 0; i < 15_000_000; i++) sum = (sum + i) % 1_000_003
  return sum
}

function spent(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
