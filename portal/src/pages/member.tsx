import type { Output } from '@adjoin/contract/operations'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { type ApiKey, type Member, read } from '../api.ts'
import { Badge } from '../design/badge.tsx'
import { Button } from '../design/button.tsx'
import { Card, Facts } from '../design/card.tsx'
import { Empty } from '../design/empty.tsx'
import { Loaded } from '../design/loaded.tsx'
import { type Column, Table } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import { date, plural } from '../format.ts'
import { keyTones } from '../key-words.ts'
import { may } from '../may.ts'
import { useMe, useOrganization } from '../shell/organization-frame.tsx'
import { Page } from '../shell/shell.tsx'
import { Activity } from './activity.tsx'
import { KeyMark } from './key-mark.tsx'
import { MemberRole } from './members.tsx'
import { RemoveMember } from './remove-member.tsx'
import { RoleBadge } from './workspace-marks.tsx'

/** One person: what they may do here, where, with which keys, and what they did. */
export function MemberPage() {
  const { orgSlug, userId } = useParams({ from: '/signed-in/organizations/$orgSlug/members/$userId' })
  const { data } = useSuspenseQuery(read('listOrganizationMembers', { orgSlug }))
  const member = data.members.find((each) => each.userId === userId)
  return member ? <OneMember orgSlug={orgSlug} member={member} /> : <Gone orgSlug={orgSlug} />
}

const Gone = ({ orgSlug }: { orgSlug: string }) => (
  <div className="card">
    <title>Not found · Adjoin</title>
    <Empty
      icon="search"
      title="Not found"
      heading="h1"
      action={
        <Button asChild>
          <Link to="/organizations/$orgSlug/members" params={{ orgSlug }}>
            All members
          </Link>
        </Button>
      }
    >
      This person isn’t a member of this organization, or has left it.
    </Empty>
  </div>
)

function OneMember({ orgSlug, member }: { orgSlug: string; member: Member }) {
  const { name: organization, role } = useOrganization()
  const me = useMe()
  const navigate = useNavigate()
  const [leaving, setLeaving] = useState(false)
  const { userId, email } = member
  const name = member.name || email
  const standing = { organization: role }
  const mayAudit = may('listAuditLogs', standing)
  const mayChange = may('updateOrganizationMember', standing)
  return (
    <Page
      title={name}
      of={organization}
      lead={
        <span className="flex flex-wrap items-center gap-x-2.5">
          <Link to="/organizations/$orgSlug/members" params={{ orgSlug }} className="link">
            Members
          </Link>
          <span className="wrap-anywhere">{email}</span>
          {userId === me.id && <Badge tone="info">you</Badge>}
        </span>
      }
      action={
        mayChange &&
        userId !== me.id && (
          <Button look="grave" onClick={() => setLeaving(true)}>
            Remove…
          </Button>
        )
      }
    >
      <Card title="Details">
        <Facts
          facts={[
            ['Role', mayChange ? <MemberRole key="role" orgSlug={orgSlug} member={member} /> : <Badge key="role">{member.role}</Badge>],
            ['Joined', date(member.createdAt)],
            ...(mayAudit ? [['Last active', <LastActive key="last" orgSlug={orgSlug} userId={userId} />] as [string, ReactNode]] : []),
          ]}
        />
      </Card>
      <Workspaces orgSlug={orgSlug} userId={userId} />
      <Keys orgSlug={orgSlug} email={email} />
      {mayAudit && (
        <Activity
          orgSlug={orgSlug}
          title="Activity"
          note="What this person did here, from the audit trail."
          of={{ actor: userId }}
          empty="When this person changes something, you’ll see it here."
          trail={{ actor: email }}
        />
      )}
      {leaving && (
        <RemoveMember
          orgSlug={orgSlug}
          member={member}
          onClose={() => setLeaving(false)}
          onRemoved={() => navigate({ to: '/organizations/$orgSlug/members', params: { orgSlug } })}
        />
      )}
    </Page>
  )
}

function LastActive({ orgSlug, userId }: { orgSlug: string; userId: string }) {
  const { data } = useQuery(read('listAuditLogs', { orgSlug, actor: userId, limit: 1 }))
  const last = data?.auditLogs[0]
  return last ? <Time at={last.createdAt} /> : <span className="text-faint">{data ? 'none yet' : '…'}</span>
}

type MemberWorkspace = Output<'listMemberWorkspaces'>['workspaces'][number]

/** More than these are shown on request. */
const FOLDED = 8

function Workspaces({ orgSlug, userId }: { orgSlug: string; userId: string }) {
  const query = useQuery(read('listMemberWorkspaces', { orgSlug, userId }))
  const [all, setAll] = useState(false)
  const columns: Column<MemberWorkspace>[] = [
    {
      name: 'Workspace',
      lead: true,
      cell: ({ slug, name }) => (
        <Link
          to="/organizations/$orgSlug/workspaces/$workspaceSlug"
          params={{ orgSlug, workspaceSlug: slug }}
          className="wrap-anywhere font-medium hover:underline"
        >
          {name}
        </Link>
      ),
    },
    { name: 'Role', cell: (workspace) => <RoleBadge {...workspace} /> },
  ]
  return (
    <Card title="Workspaces" note={query.data && workspacesNote(query.data.workspaces)} flush>
      <Loaded query={query}>
        {({ workspaces }) => {
          // Those that somebody gave them on purpose come first.
          const sorted = workspaces.toSorted((one, other) => Number(other.access === 'assigned') - Number(one.access === 'assigned'))
          if (!sorted.length) return <p className="px-5 py-4 text-soft">None. Invite this person to a workspace to give them access.</p>
          return (
            <>
              <Table label="Workspaces" columns={columns} rows={all ? sorted : sorted.slice(0, FOLDED)} id={({ slug }) => slug} />
              {sorted.length > FOLDED && (
                <div className="border-line border-t px-3 py-1.5">
                  <Button look="quiet" size="small" onClick={() => setAll(!all)}>
                    {all ? 'Show fewer' : `Show all ${sorted.length}`}
                  </Button>
                </div>
              )}
            </>
          )
        }}
      </Loaded>
    </Card>
  )
}

function workspacesNote(workspaces: MemberWorkspace[]): string {
  const assigned = workspaces.filter(({ access }) => access === 'assigned').length
  if (!workspaces.length) return 'This person can’t see any workspace.'
  return `Can see ${plural(workspaces.length, 'workspace')}.${assigned ? ` Has a role of their own in ${assigned} of them.` : ''}`
}

/** Of those that the reader may manage. */
function Keys({ orgSlug, email }: { orgSlug: string; email: string }) {
  const query = useQuery({
    ...read('listApiKeys', { orgSlug }),
    select: ({ apiKeys }) => apiKeys.filter((key) => key.creatorEmail === email && key.status !== 'revoked' && key.status !== 'expired'),
  })
  const columns: Column<ApiKey>[] = [
    {
      name: 'Key',
      lead: true,
      cell: (key) => (
        <span className="flex flex-wrap items-center gap-x-2">
          <Link
            to="/organizations/$orgSlug/api-keys/$id"
            params={{ orgSlug, id: key.id }}
            className="wrap-anywhere font-medium hover:underline"
          >
            {key.name}
          </Link>
          <KeyMark apiKey={key} />
        </span>
      ),
    },
    {
      name: 'Access',
      cell: ({ level, workspace, role }) => (level === 'user' ? 'Same as theirs' : `${workspace ?? 'Whole organization'} (${role})`),
    },
    { name: 'Status', cell: ({ status }) => <Badge tone={keyTones[status]}>{status}</Badge> },
    { name: 'Last used', cell: ({ lastRequest }) => (lastRequest ? <Time at={lastRequest} /> : <span className="text-faint">never</span>) },
  ]
  return (
    <Card title="API keys" note="Keys that this person created and that you can manage." flush>
      <Loaded query={query}>
        {(keys) =>
          keys.length ? (
            <Table label="API keys" columns={columns} rows={keys} id={({ id }) => id} />
          ) : (
            <p className="px-5 py-4 text-soft">None.</p>
          )
        }
      </Loaded>
    </Card>
  )
}
