// Reads the feed of events as it grows: without gaps, through broken connections and restarts of the service.
import type { SentParams } from './operation.ts'
import type { Operations, Output } from './operations.ts'

type Page = Output<'listEvents'>
type FeedEvent = Page['events'][number]

interface FeedReader {
  listEvents(params: SentParams<Operations['listEvents']>, options?: { signal?: AbortSignal }): Promise<Page>
  listWorkspaceEvents(params: SentParams<Operations['listWorkspaceEvents']>, options?: { signal?: AbortSignal }): Promise<Page>
}

export interface EventsOptions {
  orgSlug: string
  /** Only of this workspace. */
  workspaceSlug?: string
  /** What `saved` was given last, `start`, or a time such as 2026-01-31T12:00:00Z. Default: from now on. */
  after?: string
  /** Types such as `integration.connected`, and groups such as `integration.*`. */
  types?: readonly string[]
  /** False: ends with the newest event instead of waiting for the next. */
  follow?: boolean
  /** Given the place to go on from, once all events before it have been taken. */
  saved?: (after: string) => unknown
  signal?: AbortSignal
}

const LONGEST_WAIT_SECONDS = 25
const LONGEST_PAUSE_MS = 10_000

/** Every event once, in order: `for await (const event of client.events({ orgSlug, after }))`. */
export async function* followEvents(client: FeedReader, options: EventsOptions): AsyncGenerator<FeedEvent, void, undefined> {
  const { orgSlug, workspaceSlug, types, follow = true, saved, signal } = options
  const read = (after: string | undefined, wait: number): Promise<Page> => {
    const params = { orgSlug, wait, ...(after !== undefined && { after }), ...(types?.length && { types: types.join(',') }) }
    const init = signal ? { signal } : {}
    return workspaceSlug === undefined ? client.listEvents(params, init) : client.listWorkspaceEvents({ ...params, workspaceSlug }, init)
  }
  let { after } = options
  for (let failures = 0; !signal?.aborted; ) {
    // Without a place to begin at, the first answer says where the feed ends now: nothing is missed while it is waited for.
    const page = await read(after, follow && after !== undefined ? LONGEST_WAIT_SECONDS : 0).catch((error: unknown) => {
      if (!follow || signal?.aborted || !mayPass(error)) throw error
      return undefined
    })
    if (!page) {
      await pause(Math.min(LONGEST_PAUSE_MS, 250 * 2 ** failures++))
      continue
    }
    failures = 0
    yield* page.events
    after = page.next
    await saved?.(after)
    if (!follow && page.next === page.head) return
  }
}

/** A broken connection, a restart, too much at once: the same question may be answered in a moment. */
function mayPass(error: unknown): boolean {
  const { status } = error as { status?: number }
  return status === undefined ? error instanceof TypeError : status === 429 || status >= 500
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
