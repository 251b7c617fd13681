import { useSyncExternalStore } from 'react'

const subscribe = (changed: () => void) => {
  addEventListener('hashchange', changed)
  return () => removeEventListener('hashchange', changed)
}

/** What follows `#` in the address: where the page is, so that going back and reloading lead there, too. */
export const useHash = (): string => useSyncExternalStore(subscribe, () => location.hash.slice(1))
