import { wouldEnd } from '@adjoin/contract/client'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { client, useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Card } from '../design/card.tsx'
import { Confirm } from '../design/confirm.tsx'
import { RenameForm } from '../design/rename-form.tsx'
import { toast } from '../design/toast.tsx'
import { plural } from '../format.ts'
import { may } from '../may.ts'
import { useOrganization } from '../shell/organization-frame.tsx'
import { useWorkspace } from '../shell/workspace-frame.tsx'
import { WouldEnd } from './would-end.tsx'

export function WorkspaceSettings() {
  const place = useParams({ from: '/signed-in/organizations/$orgSlug/workspaces/$workspaceSlug' })
  const organization = useOrganization()
  const { name, role } = useWorkspace()
  const standing = { organization: organization.role, workspace: role }
  const rename = useChange(
    (name: string) => client.updateWorkspace(place, { name }),
    () => toast('Workspace renamed.'),
  )
  return (
    <>
      <Card title="Name" note="The slug in URLs doesn’t change.">
        {may('updateWorkspace', standing) ? (
          <RenameForm name={name} change={rename} onRename={rename.mutate} />
        ) : (
          <p className="text-soft">Only admins of this workspace can rename it.</p>
        )}
      </Card>
      {may('deleteWorkspace', standing) && <Delete place={place} />}
    </>
  )
}

function Delete({ place }: { place: { orgSlug: string; workspaceSlug: string } }) {
  const { name, integrationCounts } = useWorkspace()
  const [open, setOpen] = useState(false)
  const navigate = useNavigate()
  const ending = { ...place, force: 'true' } as const
  const end = useChange(
    () => client.deleteWorkspace(ending),
    async () => {
      toast(`${name} was deleted.`)
      await navigate({ to: '/organizations/$orgSlug/workspaces', params: { orgSlug: place.orgSlug } })
    },
  )
  const count = Object.values(integrationCounts).reduce((sum, part) => sum + part, 0)
  return (
    <Card title="Delete" note="This can’t be undone.">
      <Button look="grave" onClick={() => setOpen(true)}>
        Delete this workspace…
      </Button>
      {open && (
        <Confirm
          title={`Delete ${name}?`}
          action="Delete permanently"
          typed={count > integrationCounts.disabled ? name : undefined}
          change={end}
          onConfirm={() => end.mutate()}
          onClose={() => setOpen(false)}
        >
          <p>
            {count
              ? `This also deletes ${plural(count, 'integration')} (${integrationCounts.active} active). We revoke their access at the ad systems that support it, retrying for up to 48 hours; all other stored access is destroyed immediately. `
              : ''}
            Connect links and keys for this workspace stop working immediately.
          </p>
          <p>Entries in the audit trail are kept.</p>
          <WouldEnd of={['deleteWorkspace', place]} ask={() => wouldEnd(client, 'deleteWorkspace', ending)} />
        </Confirm>
      )}
    </Card>
  )
}
