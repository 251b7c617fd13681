import { aRole, organizationRoles, type WorkspaceRole, workspaceRoles } from '@adjoin/contract/roles'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { client, live, type Member, read } from '../api.ts'
import { Badge } from '../design/badge.tsx'
import { Icon } from '../design/icons.tsx'
import { InlineSelect } from '../design/inline-select.tsx'
import { ListBar, NoneFound } from '../design/list-bar.tsx'
import { Menu, MenuItem } from '../design/menu.tsx'
import { type Column, Table } from '../design/table.tsx'
import { toast } from '../design/toast.tsx'
import { date } from '../format.ts'
import { useList } from '../list.ts'
import { may } from '../may.ts'
import { useMe, useOrganization } from '../shell/organization-frame.tsx'
import { Page } from '../shell/shell.tsx'
import { useChoice } from '../use-choice.ts'
import { Invitations, InviteButton, More } from './invitations.tsx'
import { RemoveMember } from './remove-member.tsx'

export function Members() {
  const { slug: orgSlug, name, role, domain, autoJoin } = useOrganization()
  const me = useMe()
  const { data } = useSuspenseQuery(live(read('listOrganizationMembers', { orgSlug })))
  const [removing, setRemoving] = useState<Member>()
  const standing = { organization: role }
  const columns: Column<Member>[] = [
    {
      name: 'Person',
      lead: true,
      sort: ({ name, email }) => name || email,
      cell: (member) => (
        <Link to="/organizations/$orgSlug/members/$userId" params={{ orgSlug, userId: member.userId }}>
          <Person {...member} self={member.userId === me.id} />
        </Link>
      ),
    },
    {
      name: 'Role',
      control: true,
      bare: true,
      sort: ({ role }) => organizationRoles.indexOf(role),
      cell: (member) =>
        may('updateOrganizationMember', standing) ? <MemberRole orgSlug={orgSlug} member={member} /> : <Badge>{member.role}</Badge>,
    },
    { name: 'Joined', minor: true, sort: ({ createdAt }) => Date.parse(createdAt), cell: ({ createdAt }) => date(createdAt) },
    {
      name: 'Actions',
      actions: true,
      cell: (member) =>
        may('updateOrganizationMember', standing) &&
        member.userId !== me.id && (
          <Menu label={`Actions for ${member.name || member.email}`} trigger={<More />}>
            <MenuItem danger onSelect={() => setRemoving(member)}>
              <Icon name="close" /> Remove…
            </MenuItem>
          </Menu>
        ),
    },
  ]
  const list = useList(data.members, {
    columns,
    text: ({ name, email }) => `${name} ${email}`,
    filters: [{ name: 'role', label: 'Role', any: 'Any role', of: ({ role }) => role }],
  })
  return (
    <Page
      title="Members"
      of={name}
      lead={
        domain && autoJoin
          ? `Anyone who verifies an @${domain} email joins as a member. Everyone else needs an invitation.`
          : 'People join by invitation only.'
      }
      action={may('createOrganizationInvitation', standing) && <InviteButton to={{ orgSlug }} name={name} />}
    >
      <div className="card overflow-clip">
        <ListBar list={list} noun="members" placeholder="Name or email…" />
        {list.rows.length ? (
          <Table label="Members" columns={columns} rows={list.rows} id={({ id }) => id} sorting={list.sorting} oneLine />
        ) : (
          <NoneFound list={list} noun="members" />
        )}
      </div>
      {may('listOrganizationInvitations', standing) && <Invitations to={{ orgSlug }} />}
      {removing && <RemoveMember orgSlug={orgSlug} member={removing} onClose={() => setRemoving(undefined)} />}
    </Page>
  )
}

/** Name and email, on one line where there is room. */
export const Person = ({ name, email, self }: { name: string; email: string; self: boolean }) => (
  <span className="flex min-w-0 gap-x-2.5 max-md:flex-col md:items-baseline">
    <span className="flex min-w-0 items-center gap-2 font-medium">
      <span className="truncate">{name || email}</span> {self && <Badge>you</Badge>}
    </span>
    {name && <span className="truncate text-faint text-small">{email}</span>}
  </span>
)

export function MemberRole({ orgSlug, member }: { orgSlug: string; member: Member }) {
  const { shown, busy, choose } = useChoice(
    member.role,
    (role) => client.updateOrganizationMember({ orgSlug, userId: member.userId }, { role: role as WorkspaceRole }),
    ({ role }) => toast(`${member.name || member.email} is now ${aRole(role)}.`),
  )
  return (
    <InlineSelect
      aria-label={`Role of ${member.name || member.email}`}
      value={shown}
      disabled={busy}
      onChange={(event) => choose(event.target.value as WorkspaceRole)}
    >
      {shown === 'guest' && <option value="guest">guest</option>}
      {workspaceRoles.map((role) => (
        <option key={role}>{role}</option>
      ))}
    </InlineSelect>
  )
}
