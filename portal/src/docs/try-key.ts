import { useSyncExternalStore } from 'react'

/**
 * The key that a reader has pasted. It lives here, in the memory of this page, and goes with it: it is never stored,
 * never part of an address, and never in the examples.
 */
let key = ''
const listeners = new Set<() => void>()

export function setTryKey(value: string): void {
  key = value.trim()
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useTryKey = (): string => useSyncExternalStore(subscribe, () => key)
