import { useEffect, useState } from 'react'

export type ReadState<Data> = {
  data?: Data
  error?: unknown
  /** Asks once more, from the beginning. */
  again: () => void
  /** Looks for news; what is shown stays until there are some. */
  refresh: () => void
}

/** One read of the page's own matter. */
export function useRead<Data>(ask: () => Promise<Data>): ReadState<Data> {
  const [answer, setAnswer] = useState<{ data?: Data; error?: unknown }>({})
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for the page, and once for each round
  useEffect(() => {
    let current = true
    ask().then(
      (data) => current && setAnswer({ data }),
      (error) => current && setAnswer({ error }),
    )
    return () => {
      current = false
    }
  }, [round])
  const refresh = () => setRound((last) => last + 1)
  const again = () => {
    setAnswer({})
    refresh()
  }
  return { ...answer, again, refresh }
}
