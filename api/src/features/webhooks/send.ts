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

export interface Sent {
  readonly answer: PostAnswer
  readonly durationMs: number
  readonly secrets: readonly string[]
}

export type Send = (event: Event) => Promise<Sent>

/** Opened once for several events. */
export function senderOf({ vault, webhooks }: Pick<Parts, 'vault' | 'webhooks'>, row: WebhookRow): Send {
  const { url, secrets } = openWebhook({ vault }, row)
  const local = isLocal(url)
  return async (event) => {
    const body = JSON.stringify(event)
    const began = performance.now()
    const answer = await webhooks.post({ url, local, headers: signedHeaders(event.id, body, secrets, new Date()), body })
    return { answer, durationMs: Math.round(performance.now() - began), secrets }
  }
}
