/** What is thought of a name. The same few come with every call; strangers who think of many more gain nothing. */
export function remembered<T>(judge: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>()
  return (name) => {
    const before = known.get(name)
    if (before !== undefined) return before
    const verdict = judge(name)
    if (known.size < MOST_NAMES && name.length < LONGEST_REMEMBERED) known.set(name, verdict)
    return verdict
  }
}

const MOST_NAMES = 1000
const LONGEST_REMEMBERED = 100
