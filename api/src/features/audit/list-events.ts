import type { Answer } from '@adjoin/contract'
import { type Audience, headOf, lastBefore, readEvents } from '../../audit/events.ts'
import type { Call, Handler, WorkspaceScope } from '../../call.ts'
import { readCursor, writeCursor } from '../cursor.ts'

type FeedCall = Omit<Call<'listEvents'>, 'id' | 'workspace'> & { readonly workspace: Pick<WorkspaceScope, 'id'> | undefined }

/**
 * Oldest first. Where there is nothing yet, the request may wait for it;
 * whoever waited is identified again, so that each read is for what its caller may see then.
 */
const feed = async (call: FeedCall): Promise<Answer<'listEvents'>> => {
  const { parts, query: asked } = call
  const until = performance.now() + asked.wait * 1000
  const cursor = (position: number) => writeCursor(parts.secrets, feedOf(call), position.toString(36))
  let head = await headOf(parts.db.query, call.organization.id)
  let position = (await startOf(call)) ?? head
  for (;;) {
    const page = await readEvents(parts.db.query, audienceOf(call), position, head, asked.limit)
    position = page.position
    const left = until - performance.now()
    const done = page.events.length > 0 || position < head || left <= 0
    if (done || !(await call.wait(left, head))) return { events: page.events, next: cursor(position), head: cursor(head) }
    head = await headOf(parts.db.query, call.organization.id)
  }
}

const feedOf = ({ organization, workspace }: FeedCall): string => `events|${organization.id}|${workspace?.id ?? ''}`

/** The number that the feed goes on behind; undefined: where it ends now. */
async function startOf(call: FeedCall): Promise<number | undefined> {
  const { parts, organization, query: asked } = call
  const { after } = asked
  if (after === undefined) return undefined
  if (after === 'start') return 0
  if (isTime(after)) return lastBefore(parts.db.query, organization.id, new Date(after))
  return Number.parseInt(readCursor(parts.secrets, feedOf(call), after, 'after')!, 36)
}

const isTime = (text: string) =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/.test(text) && Number.isFinite(Date.parse(text))

/** Organization admins learn of everything, others of what happens in the workspaces that they can see. */
function audienceOf({ organization, workspace, caller, query }: FeedCall): Audience {
  const kinds = organization.role === 'admin' ? 'all' : 'open'
  const places = workspace
    ? { workspaceId: workspace.id }
    : kinds === 'all'
      ? 'all'
      : organization.role === 'guest'
        ? { assignedTo: caller.user.id }
        : 'workspaces'
  return { organization, kinds, places, types: query.types?.split(',') }
}

export const listEvents: Handler<'listEvents'> = (call) => feed(call)
export const listWorkspaceEvents: Handler<'listWorkspaceEvents'> = (call) => feed(call)
