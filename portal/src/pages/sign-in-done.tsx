import { useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { SkeletonFrame } from '../design/skeleton.tsx'
import { here } from '../destination.ts'
import { useSignedIn } from './signed-in.tsx'

/** Where an identity provider's sign-in comes back to: remembers it, and goes on at once. */
export function SignInDone() {
  const { to, ...outcome } = useSearch({ from: '/signin/done' })
  const finish = useSignedIn(here(to))
  const done = useRef(false)
  useEffect(() => {
    if (done.current) return
    done.current = true
    void finish(outcome)
  })
  return <SkeletonFrame />
}
