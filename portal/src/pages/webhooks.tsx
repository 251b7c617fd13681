import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { client, read, useChange } from '../api.ts'
import { Badge } from '../design/badge.tsx'
import { Button } from '../design/button.tsx'
import { Empty } from '../design/empty.tsx'
import { Icon } from '../design/icons.tsx'
import { type Column, Table } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import { typesInWords } from '../event-types.ts'
import { useMe, useOrganization } from '../shell/organization-frame.tsx'
import { Page } from '../shell/shell.tsx'
import { behindInWords, nameOf, ownerInWords, statusWords, type Webhook } from '../webhook-words.ts'
import { ShowWebhookSecret, type WebhookWithSecret } from './show-webhook-secret.tsx'
import { WebhookForm, type WebhookInput } from './webhook-form.tsx'

export function Webhooks() {
  const { slug: orgSlug, name } = useOrganization()
  const me = useMe()
  const { data } = useSuspenseQuery({ ...read('listWebhooks', { orgSlug }), refetchInterval: 15_000 })
  const [creating, setCreating] = useState(false)
  const [made, setMade] = useState<WebhookWithSecret>()
  const create = (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Icon name="plus" /> New webhook
    </Button>
  )
  return (
    <Page
      title="Webhooks"
      of={name}
      lead="We send events to your server as they happen, in order and signed."
      action={data.webhooks.length > 0 && create}
    >
      <div className="card overflow-clip">
        {data.webhooks.length === 0 ? (
          <Empty icon="send" title="No webhooks yet" action={create}>
            Add one to let a program know when a client connects, a connection breaks or anything else happens here. You don’t need to poll.
          </Empty>
        ) : (
          <Table label="Webhooks" columns={columnsFor(orgSlug, me.email)} rows={data.webhooks} id={({ id }) => id} />
        )}
      </div>
      {creating && (
        <CreateWebhook
          orgSlug={orgSlug}
          onClose={() => setCreating(false)}
          onCreated={(webhook) => {
            setCreating(false)
            setMade(webhook)
          }}
        />
      )}
      {made && <ShowWebhookSecret webhook={made} onClose={() => setMade(undefined)} />}
    </Page>
  )
}

type CreateProps = { orgSlug: string; onClose: () => void; onCreated: (webhook: WebhookWithSecret) => void }

function CreateWebhook({ orgSlug, onClose, onCreated }: CreateProps) {
  const create = useChange((input: WebhookInput) => client.createWebhook({ orgSlug }, input), onCreated)
  return (
    <WebhookForm
      orgSlug={orgSlug}
      title="New webhook"
      action="Create webhook"
      change={create}
      onSubmit={(input) => create.mutate(input)}
      onClose={onClose}
    />
  )
}

const columnsFor = (orgSlug: string, myEmail: string): Column<Webhook>[] => [
  {
    name: 'Webhook',
    lead: true,
    cell: (webhook) => (
      <span className="grid gap-0.5">
        <Link
          to="/organizations/$orgSlug/webhooks/$id"
          params={{ orgSlug, id: webhook.id }}
          className="wrap-anywhere font-medium hover:underline"
        >
          {nameOf(webhook)}
        </Link>
        {webhook.description && <span className="wrap-anywhere font-mono text-faint text-tiny">{webhook.url}</span>}
        <span className="text-faint text-small">
          {typesInWords(webhook.types)}
          {webhook.workspaceSlug && ` in ${webhook.workspaceSlug}`}
        </span>
      </span>
    ),
  },
  {
    name: 'Status',
    cell: (webhook) => (
      <span className="grid justify-items-start gap-0.5">
        <Badge tone={statusWords[webhook.status].tone}>{statusWords[webhook.status].words}</Badge>
        <span className="whitespace-nowrap text-faint text-small">{behindInWords(webhook)}</span>
      </span>
    ),
  },
  { name: 'Last success', cell: ({ lastSuccessAt }) => <Moment at={lastSuccessAt} /> },
  { name: 'Last failure', cell: ({ lastFailureAt }) => <Moment at={lastFailureAt} /> },
  { name: 'Owner', cell: (webhook) => <span className="wrap-anywhere">{ownerInWords(webhook, myEmail)}</span> },
]

export const Moment = ({ at }: { at: string | null }) => (at ? <Time at={at} /> : <span className="text-faint">never</span>)
