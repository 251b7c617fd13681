import type { Output } from '@adjoin/contract/operations'
import { type WorkspaceRole, workspaceRoles } from '@adjoin/contract/roles'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client, live, read, useChange } from '../api.ts'
import { Badge } from '../design/badge.tsx'
import { Button } from '../design/button.tsx'
import { Card } from '../design/card.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { SelectField, TextField } from '../design/field.tsx'
import { Form } from '../design/form.tsx'
import { Icon } from '../design/icons.tsx'
import { ListBar, NoneFound } from '../design/list-bar.tsx'
import { Loaded } from '../design/loaded.tsx'
import { Menu, MenuItem } from '../design/menu.tsx'
import type { Tone } from '../design/notice.tsx'
import { type Column, Table } from '../design/table.tsx'
import { Expires } from '../design/time.tsx'
import { toast } from '../design/toast.tsx'
import { useList } from '../list.ts'
import { LeftOut, useOlder } from '../older.tsx'
import { explain } from '../problem.ts'

/** Invitations are the same thing in an organization and in a workspace; only their address differs. */
export type InvitedTo = { orgSlug: string; workspaceSlug?: string }
type Invitation = Output<'listOrganizationInvitations'>['invitations'][number]
type InvitationValues = { email: string; role: WorkspaceRole }

/** The operations on the invitations of one organization or workspace. */
const operationsOn = ({ orgSlug, workspaceSlug }: InvitedTo) => ({
  list: workspaceSlug ? read('listWorkspaceInvitations', { orgSlug, workspaceSlug }) : read('listOrganizationInvitations', { orgSlug }),
  older: async (cursor: string) => {
    const asked = workspaceSlug
      ? client.listWorkspaceInvitations({ orgSlug, workspaceSlug, cursor })
      : client.listOrganizationInvitations({ orgSlug, cursor })
    const { invitations, nextCursor } = await asked
    return { rows: invitations.toReversed(), nextCursor }
  },
  create: (body: InvitationValues) =>
    workspaceSlug
      ? client.createWorkspaceInvitation({ orgSlug, workspaceSlug }, body)
      : client.createOrganizationInvitation({ orgSlug }, body),
  resend: (id: string) =>
    workspaceSlug ? client.resendWorkspaceInvitation({ orgSlug, workspaceSlug, id }) : client.resendOrganizationInvitation({ orgSlug, id }),
  cancel: (id: string) =>
    workspaceSlug ? client.cancelWorkspaceInvitation({ orgSlug, workspaceSlug, id }) : client.cancelOrganizationInvitation({ orgSlug, id }),
})

const tones: Record<Invitation['status'], Tone | 'quiet'> = {
  pending: 'info',
  accepted: 'good',
  declined: 'warn',
  canceled: 'quiet',
  expired: 'warn',
}

/** The open ones, newest first; closed ones are shown on demand. */
export function Invitations({ to }: { to: InvitedTo }) {
  const operations = operationsOn(to)
  const query = useQuery<{ invitations: Invitation[]; nextCursor?: string }>(live(operations.list as never))
  const older = useOlder(operations.list.queryKey, query.data?.nextCursor, operations.older)
  const showError = (error: Error) => toast(explain(error).detail, { bad: true })
  const resend = useChange(operations.resend, ({ email }) => toast(`Invitation sent again to ${email}.`))
  const cancel = useChange(operations.cancel, () => toast('Invitation canceled.'))
  const columns: Column<Invitation>[] = [
    {
      name: 'Email',
      lead: true,
      sort: ({ email }) => email,
      cell: ({ email }) => <span className="block truncate font-medium">{email}</span>,
    },
    { name: 'Role', bare: true, sort: roleOf, cell: roleOf },
    { name: 'Status', bare: true, sort: ({ status }) => status, cell: ({ status }) => <Badge tone={tones[status]}>{status}</Badge> },
    {
      name: 'Expires',
      bare: true,
      sort: ({ status, expiresAt }) => (isOpen(status) ? Date.parse(expiresAt) : null),
      cell: ({ status, expiresAt }) => (isOpen(status) ? <Expires at={expiresAt} /> : <span className="text-faint">–</span>),
    },
    {
      name: 'Invited by',
      minor: true,
      sort: ({ inviterName }) => inviterName,
      cell: ({ inviterName, inviterEmail }) => (
        <span className="block truncate md:max-w-48" title={inviterEmail}>
          {inviterName}
        </span>
      ),
    },
    {
      name: 'Actions',
      actions: true,
      cell: ({ id, email, status }) =>
        isOpen(status) && (
          <Menu label={`Actions for the invitation to ${email}`} trigger={<More />}>
            <MenuItem onSelect={() => resend.mutate(id, { onError: showError })}>
              <Icon name="mail" /> Send again
            </MenuItem>
            {status === 'pending' && (
              <MenuItem danger onSelect={() => cancel.mutate(id, { onError: showError })}>
                <Icon name="close" /> Cancel invitation
              </MenuItem>
            )}
          </Menu>
        ),
    },
  ]
  const list = useList([...(query.data?.invitations.toReversed() ?? []), ...older.rows], {
    prefix: 'invitations-',
    columns,
    text: ({ email, inviterName }) => `${email} ${inviterName}`,
    filters: [{ name: 'status', label: 'Status', any: 'Any status', of: ({ status }) => status }],
    isHidden: ({ status }) => !isOpen(status),
  })
  return (
    <Loaded query={query}>
      {({ invitations }) =>
        invitations.length > 0 && (
          <Card
            title="Invitations"
            note="Invitations expire after 48 hours. Sending one again adds 48 hours."
            flush
            action={
              list.hiddenCount > 0 && (
                <Button size="small" look="quiet" onClick={list.toggleHidden}>
                  {list.showsHidden ? 'Show open only' : `Show ${list.hiddenCount} closed`}
                </Button>
              )
            }
          >
            <ListBar list={list} noun="invitations" placeholder="Email or inviter…" />
            {list.rows.length ? (
              <Table label="Invitations" columns={columns} rows={list.rows} id={({ id }) => id} sorting={list.sorting} oneLine />
            ) : list.total ? (
              <NoneFound list={list} noun="invitations" />
            ) : (
              <p className="px-5 py-4 text-faint">No open invitations.</p>
            )}
            <LeftOut older={older} of="invitations" onShow={() => list.showsHidden || list.toggleHidden()} />
          </Card>
        )
      }
    </Loaded>
  )
}

const roleOf = ({ role, workspace }: Invitation) => workspace?.role ?? role
const isOpen = (status: Invitation['status']) => status === 'pending' || status === 'expired'

export const More = (props: object) => (
  <Button look="quiet" size="square" {...props}>
    <Icon name="more" />
  </Button>
)

const meanings: Record<WorkspaceRole, string> = {
  viewer: 'can see everything, but change nothing',
  member: 'can also manage integrations',
  admin: 'can also manage people, keys and settings',
}

export const RoleOptions = ({ upTo = 'admin' }: { upTo?: WorkspaceRole }) =>
  workspaceRoles.slice(0, workspaceRoles.indexOf(upTo) + 1).map((role) => (
    <option key={role} value={role}>
      {role}: {meanings[role]}
    </option>
  ))

export function InviteButton({ to, name }: { to: InvitedTo; name: string }) {
  const [open, setOpen] = useState(false)
  const invite = useChange(operationsOn(to).create, ({ email }) => {
    setOpen(false)
    toast(`Invitation sent to ${email}.`)
  })
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        <Icon name="plus" /> Invite
      </Button>
      <Dialog
        title={`Invite to ${name}`}
        note={to.workspaceSlug ? 'People from outside your organization join as guests. They only see this workspace.' : undefined}
        open={open}
        onClose={() => setOpen(false)}
      >
        <Form<InvitationValues>
          error={invite.error}
          codes={{ role_held: 'email', invitation_pending: 'email' }}
          busy={invite.isPending}
          onSubmit={(values) => invite.mutate(values)}
        >
          <TextField name="email" type="email" label="Email" required autoComplete="off" placeholder="grace@agency.example" />
          <SelectField name="role" label="Role" defaultValue="member">
            <RoleOptions />
          </SelectField>
          <DialogActions>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button type="submit" look="primary" busy={invite.isPending}>
              Send invitation
            </Button>
          </DialogActions>
        </Form>
      </Dialog>
    </>
  )
}
