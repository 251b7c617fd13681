import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type ApiKey, type MintedKey, read } from '../api.ts'
import { Badge } from '../design/badge.tsx'
import { Button } from '../design/button.tsx'
import { Empty } from '../design/empty.tsx'
import { Icon } from '../design/icons.tsx'
import { type Column, Table } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import { keyTones } from '../key-words.ts'
import { useMe, useOrganization } from '../shell/organization-frame.tsx'
import { Page } from '../shell/shell.tsx'
import { ApiKeyMenu } from './api-key-menu.tsx'
import { CreateApiKey } from './create-api-key.tsx'
import { KeyMark } from './key-mark.tsx'
import { ShowKey } from './show-key.tsx'

const isOver = ({ status }: ApiKey) => status === 'revoked' || status === 'expired'

export function ApiKeys() {
  const { slug: orgSlug, name } = useOrganization()
  const me = useMe()
  const { data } = useSuspenseQuery(read('listApiKeys', { orgSlug }))
  const [creating, setCreating] = useState(false)
  const [minted, setMinted] = useState<MintedKey>()
  const [all, setAll] = useState(false)
  const over = data.apiKeys.filter(isOver).length
  const shown = all ? data.apiKeys : data.apiKeys.filter((key) => !isOver(key))
  const columns: Column<ApiKey>[] = [
    { name: 'Key', lead: true, cell: (key) => <Named orgSlug={orgSlug} apiKey={key} /> },
    { name: 'Access', cell: (key) => <Scope apiKey={key} mine={key.creatorEmail === me.email} /> },
    { name: 'Status', cell: ({ status }) => <Badge tone={keyTones[status]}>{status}</Badge> },
    { name: 'Last used', cell: ({ lastRequest }) => (lastRequest ? <Time at={lastRequest} /> : <span className="text-faint">never</span>) },
    { name: 'Expires', cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} /> : <span className="text-faint">never</span>) },
    {
      name: 'Actions',
      actions: true,
      cell: (key) => <ApiKeyMenu orgSlug={orgSlug} apiKey={key} mine={key.creatorEmail === me.email} onMinted={setMinted} />,
    },
  ]
  const create = (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Icon name="plus" /> New key
    </Button>
  )
  return (
    <Page
      title="API keys"
      of={name}
      lead="Give each program its own key instead of sharing a login."
      action={data.apiKeys.length > 0 && create}
    >
      <div className="card overflow-clip">
        {data.apiKeys.length === 0 ? (
          <Empty icon="key" title="No API keys yet" action={create}>
            Programs send their key in the <code className="font-mono text-small">x-api-key</code> header. Give each program its own key, so
            that you can rotate or revoke it without affecting the others.
          </Empty>
        ) : shown.length ? (
          <Table label="API keys" columns={columns} rows={shown} id={({ id }) => id} />
        ) : (
          <p className="px-5 py-4 text-faint">All keys are revoked or expired.</p>
        )}
        {over > 0 && (
          <div className="border-line border-t px-3 py-1.5">
            <Button look="quiet" size="small" onClick={() => setAll(!all)}>
              {all ? 'Hide revoked and expired' : `Show ${over} revoked or expired`}
            </Button>
          </div>
        )}
      </div>
      {creating && (
        <CreateApiKey
          onClose={() => setCreating(false)}
          onMinted={(key) => {
            setCreating(false)
            setMinted(key)
          }}
        />
      )}
      {minted && <ShowKey minted={minted} onClose={() => setMinted(undefined)} />}
    </Page>
  )
}

const Named = ({ orgSlug, apiKey }: { orgSlug: string; apiKey: ApiKey }) => (
  <span className="grid justify-items-start gap-0.5">
    <Link
      to="/organizations/$orgSlug/api-keys/$id"
      params={{ orgSlug, id: apiKey.id }}
      className="wrap-anywhere font-medium hover:underline"
    >
      {apiKey.name}
    </Link>
    <span className="flex flex-wrap items-center gap-x-2">
      <span className="font-mono text-faint text-tiny">{apiKey.prefix}…</span>
      <KeyMark apiKey={apiKey} />
    </span>
  </span>
)

const Scope = ({ apiKey: { level, role, workspace, creatorEmail }, mine }: { apiKey: ApiKey; mine: boolean }) => (
  <span className="grid">
    <span>{level === 'user' ? (mine ? 'Same as yours' : 'Same as its creator’s') : `${workspace ?? 'Whole organization'} (${role})`}</span>
    <span className="wrap-anywhere text-faint text-tiny">Created by {mine ? 'you' : creatorEmail}</span>
  </span>
)
