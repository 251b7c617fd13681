import { aRole } from '@adjoin/contract/roles'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { client, read, useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Card } from '../design/card.tsx'
import { Time } from '../design/time.tsx'
import { toast } from '../design/toast.tsx'
import { explain } from '../problem.ts'

export const useMyInvitations = (enabled = true) => useQuery({ ...read('listMyInvitations'), enabled })

export function useInvitationAnswer() {
  const navigate = useNavigate()
  const accept = useChange(
    (id: string) => client.acceptInvitation({ id }),
    ({ organization, workspace }) =>
      workspace
        ? navigate({
            to: '/organizations/$orgSlug/workspaces/$workspaceSlug',
            params: { orgSlug: organization.slug, workspaceSlug: workspace.slug },
          })
        : navigate({ to: '/organizations/$orgSlug', params: { orgSlug: organization.slug } }),
  )
  const decline = useChange(
    (id: string) => client.declineInvitation({ id }),
    () => toast('Invitation declined.'),
  )
  return { accept, decline, error: accept.error ?? decline.error, busy: accept.isPending || decline.isPending }
}

/** Invitations that wait for my answer; nothing at all when there are none. */
export function MyInvitations() {
  const { data } = useMyInvitations()
  const { accept, decline, error, busy } = useInvitationAnswer()
  if (!data?.invitations.length) return null
  return (
    <Card title="Invitations" flush>
      {error && (
        <p className="px-5 pt-3 text-bad" role="alert">
          {explain(error).detail}
        </p>
      )}
      <ul className="divide-y divide-line">
        {data.invitations.map(({ id, organization, workspace, role, inviterName, expiresAt }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-3.5">
            <span className="min-w-0">
              <span className="block font-medium">{workspace ? `${workspace.name} (${organization.name})` : organization.name}</span>
              <span className="block text-small text-soft">
                {inviterName} invited you as {aRole(workspace?.role ?? role)} · expires <Time at={expiresAt} />
              </span>
            </span>
            <span className="flex gap-2">
              <Button
                size="small"
                disabled={busy}
                onClick={() => decline.mutate(id)}
                aria-label={`Decline the invitation to ${organization.name}`}
              >
                Decline
              </Button>
              <Button
                size="small"
                look="primary"
                busy={accept.isPending && accept.variables === id}
                onClick={() => accept.mutate(id)}
                aria-label={`Accept the invitation to ${organization.name}`}
              >
                Accept
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
