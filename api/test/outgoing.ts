// A call to an ad system, and a server on loopback in its place.
import { onTestFinished } from 'vitest'
import type { HttpOptions, Outgoing } from '../src/providers/http.ts'
import { type Handle, type Loopback, loopback } from './loopback.ts'

export async function serve(handle: Handle): Promise<Loopback> {
  const server = await loopback(handle)
  onTestFinished(() => server.close())
  return server
}

export const outgoing = (more: Partial<Outgoing> & { withinMs?: number } = {}): Outgoing => ({
  provider: 'xandr',
  allowed: ['https://api.appnexus.com'],
  method: 'GET',
  url: 'https://api.appnexus.com/user?current',
  headers: {},
  repeatable: false,
  deadline: performance.now() + (more.withinMs ?? 20_000),
  ...more,
})
export const quick: HttpOptions = { connectMs: 5000, retryMs: 5 }
export const failureOf = async (result: Promise<object>) => ((await result) as { failure?: string }).failure
