import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client, queryClient, useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Card, Facts } from '../design/card.tsx'
import { Confirm } from '../design/confirm.tsx'
import { RenameForm } from '../design/rename-form.tsx'
import { toast } from '../design/toast.tsx'
import { may } from '../may.ts'
import { useMe, useOrganization } from '../shell/organization-frame.tsx'
import { Page } from '../shell/shell.tsx'

export function OrganizationSettings() {
  const { slug: orgSlug, name, role, domain } = useOrganization()
  const rename = useChange(
    (name: string) => client.updateOrganization({ orgSlug }, { name }),
    () => toast('The organization was renamed.'),
  )
  return (
    <Page title="Settings" of={name}>
      {may('updateOrganization', { organization: role }) && (
        <Card title="Name">
          <RenameForm name={name} change={rename} onRename={rename.mutate} />
        </Card>
      )}
      <Card title="Fixed at sign-up" note="Addresses and memberships hang on these, so they never change.">
        <Facts
          facts={[
            [
              'Slug',
              <span key="slug" className="wrap-anywhere font-mono text-small">
                {orgSlug}
              </span>,
            ],
            ['Domain', domain ?? 'none'],
          ]}
        />
      </Card>
      <Leave orgSlug={orgSlug} name={name} />
    </Page>
  )
}

function Leave({ orgSlug, name }: { orgSlug: string; name: string }) {
  const me = useMe()
  const navigate = useNavigate()
  const [open, setOpen] = useState(false)
  const leave = useChange(
    () => client.removeOrganizationMember({ orgSlug, userId: me.id }),
    async () => {
      toast(`You have left ${name}.`)
      await navigate({ to: '/' })
      queryClient.removeQueries({ queryKey: ['getOrganization', { orgSlug }] })
    },
  )
  return (
    <Card title="Leave" note="Only an invitation brings you back.">
      <Button look="grave" onClick={() => setOpen(true)}>
        Leave this organization …
      </Button>
      {open && (
        <Confirm title={`Leave ${name}?`} deed="Leave" change={leave} onConfirm={() => leave.mutate()} onClose={() => setOpen(false)}>
          <p>You lose access to all its workspaces at once, and your user and workspace keys here stop working.</p>
        </Confirm>
      )}
    </Card>
  )
}
