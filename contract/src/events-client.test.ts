import { describe, expect, it } from 'vitest'
import { followEvents } from './events-client.ts'

interface Asked {
  after?: string
  wait?: unknown
  types?: string
}
/** A feed of numbered events, two a page; `answers` may fail or shorten a read. */
function feed(count: number, fail: (asked: number) => unknown = () => undefined) {
  const asked: Asked[] = []
  const listEvents = async (params: Asked) => {
    asked.push(params)
    const failure = fail(asked.length)
    if (failure) throw failure
    const after = params.after === undefined ? count : params.after === 'start' ? 0 : Number(params.after)
    const events = [after + 1, after + 2].filter((n) => n <= count).map((sequence) => ({ sequence }))
    return { events, next: String(after + events.length), head: String(count) }
  }
  return { asked, client: { listEvents, listWorkspaceEvents: listEvents } as never }
}

describe('following events', () => {
  it('gives all of them in order, and says where to go on after each page', async () => {
    const { client, asked } = feed(5)
    const saved: string[] = []
    const seen: number[] = []
    for await (const event of followEvents(client, {
      orgSlug: 'agency',
      after: 'start',
      types: ['a.*', 'b.c'],
      follow: false,
      saved: (after) => saved.push(after),
    }))
      seen.push(event.sequence)
    expect(seen).toEqual([1, 2, 3, 4, 5])
    expect(saved).toEqual(['2', '4', '5'])
    expect(asked[0]).toEqual({ orgSlug: 'agency', after: 'start', wait: 0, types: 'a.*,b.c' })
  })

  it('goes on where it was after a broken connection and a restart', async () => {
    const broken = [undefined, new TypeError('fetch failed'), Object.assign(new Error('busy'), { status: 503 })]
    const { client, asked } = feed(4, (n) => broken[n - 1])
    const seen: number[] = []
    for await (const event of followEvents(client, { orgSlug: 'agency', after: 'start' })) {
      seen.push(event.sequence)
      if (seen.length === 4) break
    }
    expect(seen).toEqual([1, 2, 3, 4])
    expect(asked.map(({ after }) => after)).toEqual(['start', '2', '2', '2'])
    expect(asked[1]!.wait).toBe(25)
  })

  it('ends with a refusal that does not pass', async () => {
    const { client } = feed(1, () => Object.assign(new Error('gone'), { status: 401 }))
    await expect(followEvents(client, { orgSlug: 'agency' }).next()).rejects.toThrow('gone')
  })
})
