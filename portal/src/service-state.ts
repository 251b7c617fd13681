// What every page has to know of the service: whether it answers, and whether the session still counts.
import { ProblemError } from '@adjoin/contract/client'
import { useSyncExternalStore } from 'react'
import { forgetSession, onSignedIn, refusedSession } from './session.ts'

export type ServiceState = 'fine' | 'away' | 'signed-out'

const [SOON, LATE] = [4000, 60_000]
/** Answers with or without a session, unless nothing answers. */
const PROBE = '/v1/auth/session'

let state: ServiceState = 'fine'
let timer: ReturnType<typeof setTimeout> | undefined
let pause = SOON
let fineSince = 0
const listeners = new Set<() => void>()
let readAgain = (): unknown => undefined

function become(next: ServiceState): void {
  if (next === state) return
  const before = state
  state = next
  clearTimeout(timer)
  if (next === 'fine') fineSince = Date.now()
  if (next === 'away') {
    // What answers here and fails there is asked ever more rarely.
    pause = Date.now() - fineSince < SOON ? Math.min(pause * 2, LATE) : SOON
    timer = setTimeout(() => void tryAgain(), pause)
  }
  for (const listener of listeners) listener()
  if (next === 'fine' && before !== 'fine') void readAgain()
}

async function tryAgain(): Promise<void> {
  const back = await fetch(PROBE).then(
    ({ status }) => status < 500,
    () => false,
  )
  if (state !== 'away') return
  if (back) become('fine')
  else timer = setTimeout(() => void tryAgain(), pause)
}

const isAway = (error: unknown): boolean =>
  error instanceof ProblemError ? [502, 503, 504].includes(error.status) : error instanceof TypeError

export function noteFailure(error: unknown): void {
  if (refusedSession(error)) {
    forgetSession()
    become('signed-out')
  } else if (isAway(error)) become('away')
}
export const noteSignedIn = (): void => become('fine')

/** What to do when all is well again. */
export function watchService(again: () => unknown): void {
  readAgain = again
  onSignedIn(noteSignedIn)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const useServiceState = (): ServiceState => useSyncExternalStore(subscribe, () => state)
