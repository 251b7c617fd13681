import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { type ApiKey, type MintedKey, read } from '../api.ts'
import { Badge } from '../design/badge.tsx'
import { Button } from '../design/button.tsx'
import { Card, Facts } from '../design/card.tsx'
import { Icon } from '../design/icons.tsx'
import { Notice } from '../design/notice.tsx'
import { Time } from '../design/time.tsx'
import { date } from '../format.ts'
import { keyTones } from '../key-words.ts'
import { may } from '../may.ts'
import { useMe, useOrganization } from '../shell/organization-frame.tsx'
import { Page } from '../shell/shell.tsx'
import { Activity } from './activity.tsx'
import { ApiKeyMenu, RotateKey } from './api-key-menu.tsx'
import { ApiKeyPowers } from './api-key-powers.tsx'
import { ApiKeyUsage } from './api-key-usage.tsx'
import { KeyMark } from './key-mark.tsx'
import { ShowKey } from './show-key.tsx'

export function ApiKeyPage() {
  const place = useParams({ from: '/signed-in/organizations/$orgSlug/api-keys/$id' })
  const { orgSlug, id } = place
  const { name: organization, role } = useOrganization()
  const me = useMe()
  const { data: apiKey } = useSuspenseQuery(read('getApiKey', place))
  const keys = useQuery(read('listApiKeys', { orgSlug })).data?.apiKeys ?? []
  const [rotating, setRotating] = useState(false)
  const [minted, setMinted] = useState<MintedKey>()
  const mine = apiKey.creatorEmail === me.email
  const standing = { organization: role }
  const mayRotate = (apiKey.level !== 'user' || mine) && !apiKey.replacedAt && apiKey.status !== 'revoked' && apiKey.status !== 'disabled'
  return (
    <Page
      title={apiKey.name}
      of={organization}
      lead={
        <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <Link to="/organizations/$orgSlug/api-keys" params={place} className="link">
            API keys
          </Link>
          <span className="font-mono text-small">{apiKey.prefix}…</span>
          <Badge tone={keyTones[apiKey.status]}>{apiKey.status}</Badge>
          <KeyMark apiKey={apiKey} />
        </span>
      }
      action={
        <>
          {mayRotate && (
            <Button onClick={() => setRotating(true)}>
              <Icon name="rotate" /> Rotate…
            </Button>
          )}
          <ApiKeyMenu orgSlug={orgSlug} apiKey={apiKey} mine={mine} onMinted={setMinted} />
        </>
      }
    >
      <State apiKey={apiKey} orgSlug={orgSlug} />
      <Card title="Details">
        <KeyFacts apiKey={apiKey} orgSlug={orgSlug} mine={mine} replaces={keys.find(({ replacedBy }) => replacedBy === id)} />
      </Card>
      <ApiKeyPowers apiKey={apiKey} mine={mine} />
      <ApiKeyUsage orgSlug={orgSlug} id={id} />
      {may('listAuditLogs', standing) && (
        <>
          <Activity
            orgSlug={orgSlug}
            title="Changes made with this key"
            note="Changes only: reads are not recorded."
            of={{ actor: id }}
            empty="When a program changes something with this key, you’ll see it here."
            trail={{ actor: id }}
          />
          <Activity orgSlug={orgSlug} title="Changes to this key" of={{ targetId: id }} empty="Nobody has changed this key yet." />
        </>
      )}
      {rotating && (
        <RotateKey
          place={place}
          name={apiKey.name}
          onClose={() => setRotating(false)}
          onMinted={(key) => {
            setRotating(false)
            setMinted(key)
          }}
        />
      )}
      {minted && <ShowKey minted={minted} onClose={() => setMinted(undefined)} />}
    </Page>
  )
}

/** A notice if the key was replaced or does not work, with what to do now. */
function State({ apiKey, orgSlug }: { apiKey: ApiKey; orgSlug: string }) {
  const { status, replacedBy, expiresAt } = apiKey
  const next = replacedBy && (
    <Button asChild size="small">
      <Link to="/organizations/$orgSlug/api-keys/$id" params={{ orgSlug, id: replacedBy }}>
        Open the new key
      </Link>
    </Button>
  )
  if (status === 'active' && replacedBy)
    return (
      <Notice
        tone="warn"
        title="This key was replaced"
        detail={
          <>
            It stops working <Time at={expiresAt!} />. Bring the new key to every program that still uses this one.
          </>
        }
      >
        {next}
      </Notice>
    )
  if (status === 'revoked')
    return (
      <Notice title="Revoked" detail={replacedBy ? 'A new key replaced it.' : 'Requests with it are rejected for good.'}>
        {next}
      </Notice>
    )
  if (status === 'expired')
    return (
      <Notice
        title="Expired"
        detail={replacedBy ? 'A new key replaced it.' : 'Requests with it are rejected. Rotate it to get a new key with the same access.'}
      >
        {next}
      </Notice>
    )
  if (status === 'disabled')
    return <Notice title="Disabled" detail="Requests with it are rejected until someone enables it in the menu above." />
  return null
}

type FactsProps = { apiKey: ApiKey; orgSlug: string; mine: boolean; replaces: ApiKey | undefined }

function KeyFacts({ apiKey, orgSlug, mine, replaces }: FactsProps) {
  const { role } = useOrganization()
  const standing = { organization: role }
  const { data: trail } = useQuery({
    ...read('listAuditLogs', { orgSlug, actor: apiKey.id, limit: 1 }),
    enabled: may('listAuditLogs', standing),
  })
  const change = trail?.auditLogs[0]
  const members = useQuery({ ...read('listOrganizationMembers', { orgSlug }), enabled: may('listOrganizationMembers', standing) }).data
    ?.members
  const address = useQuery(read('getApiKeyUsage', { orgSlug, id: apiKey.id, days: '30' })).data?.lastRequestIp
  const creator = members?.find(({ email }) => email === apiKey.creatorEmail)
  const facts: [string, ReactNode][] = [
    ['Access', accessOf(apiKey, mine)],
    [
      'Last used',
      <span key="used">
        <Moment at={apiKey.lastRequest} />
        {address && (
          <>
            {' '}
            from <span className="font-mono text-small">{address}</span>
          </>
        )}
      </span>,
    ],
    ...(change
      ? [
          [
            'Last change made',
            <span key="change">
              <Time at={change.createdAt} /> from <span className="font-mono text-small">{change.context.ip ?? 'an unknown address'}</span>
            </span>,
          ] as [string, ReactNode],
        ]
      : []),
    ['Expires', <Moment key="expires" at={apiKey.expiresAt} />],
    [
      'Created',
      <span key="created">
        {date(apiKey.createdAt)} by{' '}
        {creator ? (
          <Link to="/organizations/$orgSlug/members/$userId" params={{ orgSlug, userId: creator.userId }} className="link">
            {mine ? 'you' : apiKey.creatorEmail}
          </Link>
        ) : mine ? (
          'you'
        ) : (
          apiKey.creatorEmail
        )}
      </span>,
    ],
    ...(replaces ? [['Replaces', <OtherKey key="replaces" orgSlug={orgSlug} {...replaces} />] as [string, ReactNode]] : []),
    ...(apiKey.replacedBy
      ? [
          ['Replaced', <OtherKey key="replaced" orgSlug={orgSlug} id={apiKey.replacedBy} name={apiKey.name} at={apiKey.replacedAt} />] as [
            string,
            ReactNode,
          ],
        ]
      : []),
  ]
  return <Facts facts={facts} />
}

const Moment = ({ at }: { at: string | null | undefined }) => (at ? <Time at={at} /> : <span className="text-faint">never</span>)

/** The one before or after it; a replacement has the same name, so its beginning tells them apart. */
const OtherKey = ({
  orgSlug,
  id,
  name,
  prefix,
  at,
}: {
  orgSlug: string
  id: string
  name: string
  prefix?: string
  at?: string | undefined
}) => (
  <span>
    {at && (
      <>
        <Time at={at} /> by{' '}
      </>
    )}
    <Link to="/organizations/$orgSlug/api-keys/$id" params={{ orgSlug, id }} className="link">
      {prefix ? `${name} (${prefix}…)` : 'a new key'}
    </Link>
  </span>
)

const accessOf = ({ level, role, workspace }: ApiKey, mine: boolean): string => {
  if (level === 'user') return mine ? 'Same as yours, in this organization' : 'Same as its creator’s, in this organization'
  return level === 'workspace' ? `${workspace}, as ${role}` : `Whole organization, as ${role}`
}
