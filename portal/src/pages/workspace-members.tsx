import { wouldEnd } from '@adjoin/contract/client'
import type { Output } from '@adjoin/contract/operations'
import { aRole, type WorkspaceRole, workspaceRoles } from '@adjoin/contract/roles'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { client, read, useChange, type WorkspaceParams } from '../api.ts'
import { Badge } from '../design/badge.tsx'
import { Card } from '../design/card.tsx'
import { Confirm } from '../design/confirm.tsx'
import { Icon } from '../design/icons.tsx'
import { InlineSelect } from '../design/inline-select.tsx'
import { Menu, MenuItem } from '../design/menu.tsx'
import { type Column, Table } from '../design/table.tsx'
import { toast } from '../design/toast.tsx'
import { may } from '../may.ts'
import { useMe } from '../shell/organization-frame.tsx'
import { useWorkspace } from '../shell/workspace-frame.tsx'
import { useChoice } from '../use-choice.ts'
import { Invitations, InviteButton, More } from './invitations.tsx'
import { Person } from './members.tsx'
import { WouldEnd } from './would-end.tsx'

type AssignedMember = Output<'listWorkspaceMembers'>['members'][number]
export function WorkspaceMembers() {
  const place: WorkspaceParams = useParams({ from: '/signed-in/organizations/$orgSlug/workspaces/$workspaceSlug' })
  const { name, role } = useWorkspace()
  const me = useMe()
  const { data } = useSuspenseQuery(read('listWorkspaceMembers', place))
  const [leaving, setLeaving] = useState<AssignedMember>()
  const standing = { workspace: role }
  const mayAssign = may('setWorkspaceMember', standing)
  const columns: Column<AssignedMember>[] = [
    { name: 'Person', lead: true, cell: (member) => <Person {...member} self={member.userId === me.id} /> },
    { name: 'Role', cell: (member) => (mayAssign ? <Role place={place} member={member} /> : <Badge>{member.role}</Badge>) },
    {
      name: 'Access',
      cell: ({ access }) =>
        access === 'inherited' ? <span className="text-faint">From the organization</span> : <span>This workspace only</span>,
    },
    {
      name: 'Actions',
      actions: true,
      // An inherited role has no assignment that could be ended; one's own can always be given up.
      cell: (member) =>
        member.access === 'assigned' &&
        (mayAssign || member.userId === me.id) && (
          <Menu label={`Actions for ${member.name || member.email}`} trigger={<More />}>
            <MenuItem danger onSelect={() => setLeaving(member)}>
              <Icon name="close" /> {member.userId === me.id ? 'Leave…' : 'Remove…'}
            </MenuItem>
          </Menu>
        ),
    },
  ]
  return (
    <>
      <Card
        title="Members"
        note="People have the same role here as in the organization, unless you give them a higher one for this workspace."
        action={may('createWorkspaceInvitation', standing) && <InviteButton to={place} name={name} />}
        flush
      >
        <Table label="Members" columns={columns} rows={data.members} id={({ userId }) => userId} />
      </Card>
      {may('listWorkspaceInvitations', standing) && <Invitations to={place} />}
      {leaving && <End place={place} member={leaving} self={leaving.userId === me.id} onClose={() => setLeaving(undefined)} />}
    </>
  )
}

function End({ place, member, self, onClose }: { place: WorkspaceParams; member: AssignedMember; self: boolean; onClose: () => void }) {
  const navigate = useNavigate()
  const ending = { ...place, userId: member.userId }
  const end = useChange(
    () => client.removeWorkspaceMember(ending),
    async () => {
      onClose()
      toast(self ? 'You left the workspace.' : `${member.name || member.email} was removed from this workspace.`)
      if (self) await navigate({ to: '/' })
    },
  )
  return (
    <Confirm
      title={self ? 'Leave this workspace?' : `Remove ${member.name || member.email}?`}
      action={self ? 'Leave' : 'Remove'}
      change={end}
      onConfirm={() => end.mutate()}
      onClose={onClose}
    >
      <p>
        {self ? 'You lose your' : 'They lose their'} role in this workspace, and {self ? 'your' : 'their'} keys for it stop working
        immediately. A role in the organization is not affected.
      </p>
      <p>
        {self
          ? 'If you’re a guest and this is your only workspace, you also leave the organization.'
          : 'A guest who has no other workspace is also removed from the organization.'}
      </p>
      <WouldEnd of={['removeWorkspaceMember', ending]} ask={() => wouldEnd(client, 'removeWorkspaceMember', ending)} />
    </Confirm>
  )
}

/** Choosing a role for someone with inherited access gives them an assignment of their own. */
function Role({ place, member }: { place: WorkspaceParams; member: AssignedMember }) {
  const { shown, busy, choose } = useChoice(
    member.role,
    (role) => client.setWorkspaceMember({ ...place, userId: member.userId }, { role }),
    ({ role }) => toast(`${member.name || member.email} is now ${aRole(role)} in this workspace.`),
  )
  const lowest = member.access === 'inherited' ? workspaceRoles.indexOf(member.role) : 0
  if (lowest === workspaceRoles.length - 1) return <Badge>{member.role}</Badge>
  return (
    <InlineSelect
      aria-label={`Role of ${member.name || member.email}`}
      value={shown}
      disabled={busy}
      onChange={(event) => choose(event.target.value as WorkspaceRole)}
    >
      {workspaceRoles.slice(lowest).map((role) => (
        <option key={role}>{role}</option>
      ))}
    </InlineSelect>
  )
}
