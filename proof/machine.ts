// A cloud machine is shared: what others take of it is missing here, and a proof should say so.
import { readFileSync } from 'node:fs'

/** Begins to measure; what it returns tells the share of processor time that the host has given to others since. */
export function watchMachine(): () => number | undefined {
  const before = readTicks()
  return () => {
    const after = readTicks()
    return before && after && (after.taken - before.taken) / (after.all - before.all)
  }
}

/** Since the machine was started, over all its processors. Only Linux counts them. */
function readTicks(): { all: number; taken: number } | undefined {
  try {
    const [user, nice, system, idle, wait, irq, softirq, taken] = readFileSync('/proc/stat', 'utf8').split(/\s+/, 9).slice(1).map(Number)
    return { all: user! + nice! + system! + idle! + wait! + irq! + softirq! + taken!, taken: taken! }
  } catch {
    return undefined
  }
}
