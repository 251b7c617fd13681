import type { Audience, Event } from '../../audit/events.ts'
import type { Parts } from '../../call.ts'
import { isLocal, signedHeaders } from '../../domain/webhook.ts'
import type { PostAnswer } from '../../gateway/post-webhook.ts'
import { openWebhook, type WebhookRow } from './webhook-row.ts'

/** What a webhook is told of: what its owner, an admin, may see. */
export const audienceOf = (organization: { id: string; slug: string }, row: WebhookRow): Audience => ({
  organization,
  kinds: 'all',
  places: row.workspace_id ? { workspaceId: row.workspace_id } : 'all',
  types: row.types.length ? row.types : undefined,
})

export const FREEZE = 'organization.frozen'

/** While its organization is frozen: that it is, and nothing else. */
export const audienceWhileFrozen = (organization: { id: string; slug: string }, row: WebhookRow): Audience => {
  const hears = !row.types.length || row.types.includes(FREEZE) || row.types.includes('organization.*')
  return { ...audienceOf(organization, row), types: hears ? [FREEZE] : [] }
}

export interface Sent {
  readonly answer: PostAnswer
  readonly durationMs: number
  /** What its answer may not show, should it say what it was sent: the address is sealed, and so are the secrets. */
  readonly hidden: readonly string[]
}

export type Send = (event: Event) => Promise<Sent>

/** Opened once for several events. */
export function senderOf({ vault, webhooks }: Pick<Parts, 'vault' | 'webhooks'>, row: WebhookRow): Send {
  const { url, secrets } = openWebhook({ vault }, row)
  const local = isLocal(url)
  return async (event) => {
    const body = JSON.stringify(event)
    const began = performance.now()
    const headers = signedHeaders(event.id, body, secrets, new Date())
    const answer = await webhooks.post({ url, local, headers, body })
    const signatures = (headers['webhook-signature'] ?? '').split(' ').map((signature) => signature.replace(/^v1,/, ''))
    const hidden = [...partsOf(url), ...secrets, ...secrets.map((secret) => secret.slice('whsec_'.length)), ...signatures]
    return { answer, durationMs: Math.round(performance.now() - began), hidden }
  }
}

/** Shorter ones are words such as `hooks`. */
const SHORTEST_PART = 8

/** The address behind its origin, and what could be a secret in it, as it is written and as it reads. */
function partsOf({ pathname, search, searchParams }: URL): string[] {
  const whole = `${pathname}${search}`
  const parts = [...pathname.split('/'), ...searchParams.values(), search.slice(1)]
  return [whole, ...parts].flatMap((part) => [part, readable(part)]).filter(({ length }) => length >= SHORTEST_PART)
}

function readable(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
