import { vi } from 'vitest'

/** What is made here does nothing by itself every few seconds: on a slow machine that would come between any two steps. */
export async function withoutIntervals<T>(make: () => T | Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    return await make()
  } finally {
    vi.useRealTimers()
  }
}
