import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { read } from '../api.ts'
import { Badge } from '../design/badge.tsx'
import { Card, Facts } from '../design/card.tsx'
import { Notice } from '../design/notice.tsx'
import { typesInWords } from '../event-types.ts'
import { date } from '../format.ts'
import { useMe, useOrganization } from '../shell/organization-frame.tsx'
import { Page } from '../shell/shell.tsx'
import { behindInWords, nameOf, ownerInWords, stateNotice, statusWords, type Webhook } from '../webhook-words.ts'
import { WebhookActions } from './webhook-actions.tsx'
import { WebhookDeliveries } from './webhook-deliveries.tsx'
import { WebhookTest } from './webhook-test.tsx'
import { Moment } from './webhooks.tsx'

export function WebhookPage() {
  const place = useParams({ from: '/signed-in/organizations/$orgSlug/webhooks/$id' })
  const { name } = useOrganization()
  const me = useMe()
  // Deliveries happen on their own: whoever mends their server sees them come through.
  const { data: webhook } = useSuspenseQuery({ ...read('getWebhook', place), refetchInterval: 5000 })
  const workspaces = useQuery(read('listWorkspaces', { orgSlug: place.orgSlug })).data?.workspaces
  const notice = stateNotice(webhook)
  const { words, tone } = statusWords[webhook.status]
  const workspace = workspaces?.find(({ slug }) => slug === webhook.workspaceSlug)?.name ?? webhook.workspaceSlug
  return (
    <Page
      title={nameOf(webhook)}
      of={name}
      lead={
        <span className="flex flex-wrap items-center gap-x-2.5">
          <Link to="/organizations/$orgSlug/webhooks" params={place} className="link">
            Webhooks
          </Link>
          <Badge tone={tone}>{words}</Badge>
          <span>{behindInWords(webhook)}</span>
        </span>
      }
      action={<WebhookActions place={place} webhook={webhook} />}
    >
      {notice && <Notice {...notice} />}
      <Card title="Details">
        <Facts facts={factsOf(webhook, workspace, me.email)} />
      </Card>
      <WebhookTest place={place} webhook={webhook} />
      <WebhookDeliveries place={place} webhook={webhook} />
    </Page>
  )
}

const factsOf = (webhook: Webhook, workspace: string | null, myEmail: string): [string, ReactNode][] => [
  [
    'URL',
    <span key="url" className="font-mono text-small">
      {webhook.url}
    </span>,
  ],
  ['Events', typesInWords(webhook.types)],
  ['Scope', workspace ?? 'Whole organization'],
  ['Last success', <Moment key="success" at={webhook.lastSuccessAt} />],
  ['Last failure', <Moment key="failure" at={webhook.lastFailureAt} />],
  [
    'Owner',
    <span key="owner" className="grid">
      {ownerInWords(webhook, myEmail)}
      <span className="text-faint text-small">
        If the owner stops being an admin, this webhook is disabled until another admin enables it.
      </span>
    </span>,
  ],
  ['Created', date(webhook.createdAt)],
]
