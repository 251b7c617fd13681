/**
 * What work costs, in milliseconds of this thread's processor time: less than `most` at once, or the least of ten tries.
 * A first try is compiled on the way. A processor that machines share is slower at times, and what it did for others
 * may count as ours: so a known piece of work beside each try says how slow it is. What takes quadratic time takes it
 * every time.
 */
export function processorMs(work: () => unknown, most: number): number {
  let least = spent(work)
  for (let tries = 1; isOpen(tries, least, most); tries++) {
    const before = spent(knownWork)
    const ms = spent(work)
    least = Math.min(least, ms / slowness(before))
  }
  return least
}

/** The same for one turn of the event loop: of all turns until the work has ended, the one that took longest. */
export async function longestTurnMs(work: () => Promise<unknown>, most: number): Promise<number> {
  let least = await longestTurn(work)
  for (let tries = 1; isOpen(tries, least, most); tries++) {
    const before = spent(knownWork)
    const ms = await longestTurn(work)
    least = Math.min(least, ms / slowness(before))
  }
  return least
}

/** What took far too long three times will do so ten times. */
const isOpen = (tries: number, least: number, most: number) => least > most && tries < (least > 4 * most ? 3 : 10)

async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let over = false
  let before = process.threadCpuUsage()
  const turned = () => {
    longest = Math.max(longest, since(before))
    if (over) return
    before = process.threadCpuUsage()
    setImmediate(turned)
  }
  setImmediate(turned)
  try {
    await work()
  } finally {
    over = true
    turned()
  }
  return longest
}

/** Of the known work, on an ordinary machine that has nothing else to do. */
const KNOWN_MS = 24

/** How much slower this machine is than an ordinary one: by what the known work took before, and takes now. */
const slowness = (before: number): number => Math.max(1, Math.min(before, spent(knownWork)) / KNOWN_MS)

/** Of the kind that is measured: where a processor is shared, work with memory becomes twice as slow, and counting does not. */
function knownWork(): number {
  let sum = 0
  for (let at = 0; at < KNOWN_TEXT.length; at++) sum += KNOWN_TEXT.charCodeAt(at)
  return sum + JSON.stringify(JSON.parse(KNOWN_TEXT)).length
}

const KNOWN_TEXT = `[${Array.from({ length: 20_000 }, (_, n) => `{"id":"${n}","list":[1,2,{"name":"name ${n % 50}"}]}`).join(',')}]`

function spent(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  return since(before)
}

function since(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
