import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type ApiKey, client, live, type MintedKey, read } from '../api.ts'
import { Badge } from '../design/badge.tsx'
import { Button } from '../design/button.tsx'
import { Empty } from '../design/empty.tsx'
import { Icon } from '../design/icons.tsx'
import { ListBar, NoneFound } from '../design/list-bar.tsx'
import { type Column, Table } from '../design/table.tsx'
import { Expires, Time } from '../design/time.tsx'
import { endOf, keyTones } from '../key-words.ts'
import { useList } from '../list.ts'
import { LeftOut, useOlder } from '../older.tsx'
import { useMe, useOrganization } from '../shell/organization-frame.tsx'
import { Page } from '../shell/shell.tsx'
import { ApiKeyMenu } from './api-key-menu.tsx'
import { CreateApiKey } from './create-api-key.tsx'
import { KeyMark } from './key-mark.tsx'
import { ShowKey } from './show-key.tsx'

const isHidden = ({ status }: ApiKey) => status === 'revoked' || status === 'expired'

export function ApiKeys() {
  const { slug: orgSlug, name } = useOrganization()
  const me = useMe()
  const { data } = useSuspenseQuery(live(read('listApiKeys', { orgSlug })))
  const older = useOlder(['listApiKeys', { orgSlug }], data.nextCursor, async (cursor) => {
    const { apiKeys, nextCursor } = await client.listApiKeys({ orgSlug, cursor })
    return { rows: apiKeys, nextCursor }
  })
  const [creating, setCreating] = useState(false)
  const [minted, setMinted] = useState<MintedKey>()
  const columns: Column<ApiKey>[] = [
    { name: 'Key', lead: true, sort: ({ name }) => name, cell: (key) => <Named orgSlug={orgSlug} apiKey={key} /> },
    { name: 'Access', bare: true, sort: (key) => scopeOf(key, me.email), cell: (key) => <Scope text={scopeOf(key, me.email)} /> },
    { name: 'Status', bare: true, sort: ({ status }) => status, cell: ({ status }) => <Badge tone={keyTones[status]}>{status}</Badge> },
    {
      name: 'Last used',
      minor: true,
      sort: ({ lastRequest }) => (lastRequest ? Date.parse(lastRequest) : null),
      cell: ({ lastRequest }) => (lastRequest ? <Time at={lastRequest} /> : <span className="text-faint">never</span>),
    },
    {
      name: 'Expires',
      bare: true,
      sort: ({ expiresAt }) => (expiresAt ? Date.parse(expiresAt) : null),
      cell: (key) => <End apiKey={key} />,
    },
    {
      name: 'Created by',
      minor: true,
      sort: ({ creatorEmail }) => creatorEmail,
      cell: ({ creatorEmail }) => <Scope text={creatorEmail === me.email ? 'you' : creatorEmail} />,
    },
    {
      name: 'Actions',
      actions: true,
      cell: (key) => <ApiKeyMenu orgSlug={orgSlug} apiKey={key} mine={key.creatorEmail === me.email} onMinted={setMinted} />,
    },
  ]
  const list = useList([...data.apiKeys, ...older.rows], {
    columns,
    text: (key) => `${key.name} ${key.prefix} ${key.creatorEmail} ${scopeOf(key, me.email)}`,
    filters: [
      { name: 'level', label: 'Access', any: 'Any access', of: ({ level }) => level, say: (level) => levels[level as ApiKey['level']] },
      { name: 'status', label: 'Status', any: 'Any status', of: ({ status }) => status },
    ],
    isHidden,
  })
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
        {data.apiKeys.length > 0 && <ListBar list={list} noun="keys" placeholder="Name, access, creator…" />}
        {data.apiKeys.length === 0 ? (
          <Empty icon="key" title="No API keys yet" action={create}>
            Programs send their key in the <code className="font-mono text-small">x-api-key</code> header. Give each program its own key, so
            that you can rotate or revoke it without affecting the others.
          </Empty>
        ) : list.rows.length ? (
          <Table label="API keys" columns={columns} rows={list.rows} id={({ id }) => id} sorting={list.sorting} oneLine />
        ) : list.total ? (
          <NoneFound list={list} noun="keys" />
        ) : (
          <p className="px-5 py-4 text-faint">All keys are revoked or expired.</p>
        )}
        {list.hiddenCount > 0 && (
          <div className="border-line border-t px-3 py-1.5">
            <Button look="quiet" size="small" onClick={list.toggleHidden}>
              {list.showsHidden ? 'Hide revoked and expired' : `Show ${list.hiddenCount} revoked or expired`}
            </Button>
          </div>
        )}
        <LeftOut older={older} of="keys" onShow={() => list.showsHidden || list.toggleHidden()} />
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
  <span className="flex min-w-0 gap-x-2.5 max-md:flex-col md:items-baseline">
    <Link to="/organizations/$orgSlug/api-keys/$id" params={{ orgSlug, id: apiKey.id }} className="truncate font-medium">
      {apiKey.name}
    </Link>
    <span className="truncate font-mono text-faint text-tiny max-md:hidden">{apiKey.prefix}…</span>
  </span>
)

/** Soon is marked; later is a date like others. */
const End = ({ apiKey }: { apiKey: ApiKey }) => {
  if (endOf(apiKey)) return <KeyMark apiKey={apiKey} />
  return apiKey.expiresAt ? <Expires at={apiKey.expiresAt} /> : <span className="text-faint max-md:hidden">never</span>
}

const levels: Record<ApiKey['level'], string> = { user: 'One person', organization: 'Whole organization', workspace: 'One workspace' }

const scopeOf = ({ level, role, workspace, creatorEmail }: ApiKey, me: string): string =>
  level === 'user' ? (creatorEmail === me ? 'Same as yours' : 'Same as its creator’s') : `${workspace ?? 'Whole organization'} (${role})`

const Scope = ({ text }: { text: string }) => (
  <span className="block truncate md:max-w-56" title={text}>
    {text}
  </span>
)
