/**
 * What work costs, in milliseconds of this thread's processor time: less than `most` at once, or the least of five tries.
 * A first try is compiled on the way, and a processor that machines share is slower at times; what takes quadratic time
 * takes it every time.
 */
export function processorMs(work: () => unknown, most: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 5 && least > most; tries++) {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}
