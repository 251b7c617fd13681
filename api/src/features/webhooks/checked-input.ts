import type { Call } from '../../call.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { acceptableWebhookUrl, isLocal } from '../../domain/webhook.ts'
import { refuseField } from '../../refusal.ts'

/** Before any transaction: the name is looked up. It is checked again with every connection. */
export async function checkedUrl({ parts }: Pick<Call, 'parts'>, text: string): Promise<URL> {
  const url = acceptableWebhookUrl(text, parts.config.environment !== 'production')
  if (!url) return refuseField('url', 'must be an https URL without a user name or fragment (http only on localhost in development)')
  const why = isLocal(url) ? undefined : await parts.webhooks.refusal(url)
  return why === undefined ? url : refuseField('url', `can’t be used: ${why}`)
}

/** The workspace that a webhook is limited to. */
export async function checkedWorkspace(query: RunQuery, organizationId: string, slug: string | null): Promise<{ id: string } | null> {
  if (slug === null) return null
  const [row] = await query<{ id: string }>(sql`select id from workspaces where organization_id = ${organizationId} and slug = ${slug}`)
  return row ?? refuseField('workspaceSlug', 'names no workspace of this organization')
}
