import { useEffect, useState } from 'react'

export type ReadState<Data> = { data?: Data; error?: unknown; again: () => void }

/** One read of the page's own matter; `again` asks once more. */
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
  const again = () => {
    setAnswer({})
    setRound(round + 1)
  }
  return { ...answer, again }
}
