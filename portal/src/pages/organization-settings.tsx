import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client, queryClient, useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Card, Facts } from '../design/card.tsx'
import { Confirm } from '../design/confirm.tsx'
import { Loaded } from '../design/loaded.tsx'
import { RenameForm } from '../design/rename-form.tsx'
import { Switch } from '../design/switch.tsx'
import { toast } from '../design/toast.tsx'
import { may } from '../may.ts'
import { useMe, useOrganization } from '../shell/organization-frame.tsx'
import { Page } from '../shell/shell.tsx'
import { useChoice } from '../use-choice.ts'
import { FreezeOrganization } from './freeze-organization.tsx'
import { type KeysChoice, OrganizationKeysChoice, useOrganizationKeys } from './organization-keys-choice.tsx'

export function OrganizationSettings() {
  const { slug: orgSlug, name, role, domain } = useOrganization()
  const rename = useChange(
    (name: string) => client.updateOrganization({ orgSlug }, { name }),
    () => toast('Organization renamed.'),
  )
  return (
    <Page title="Settings" of={name} narrow>
      {may('updateOrganization', { organization: role }) && (
        <Card title="Name">
          <RenameForm name={name} change={rename} onRename={rename.mutate} />
        </Card>
      )}
      {may('updateOrganization', { organization: role }) && domain && <AutomaticJoining domain={domain} />}
      <Card title="Fixed at sign-up" note="URLs and memberships depend on these, so they can’t be changed.">
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
      {may('freezeOrganization', { organization: role }) && <FreezeOrganization />}
      <Leave orgSlug={orgSlug} name={name} />
    </Page>
  )
}

function AutomaticJoining({ domain }: { domain: string }) {
  const { slug: orgSlug, autoJoin } = useOrganization()
  const { shown, busy, choose } = useChoice(
    autoJoin,
    (next) => client.updateOrganization({ orgSlug }, { autoJoin: next }),
    (answer) => toast(answer.autoJoin ? 'Automatic joining is on.' : 'Automatic joining is off.'),
  )
  return (
    <Card title="Automatic joining">
      <Switch
        label={`Let people with an @${domain} email join`}
        help={
          shown
            ? `Anyone who verifies an @${domain} email joins as a member. Admins are notified by email.`
            : `People with an @${domain} email need an invitation, like everyone else.`
        }
        on={shown}
        busy={busy}
        onChange={choose}
      />
    </Card>
  )
}

function Leave({ orgSlug, name }: { orgSlug: string; name: string }) {
  const [open, setOpen] = useState(false)
  return (
    <Card title="Leave" note="To come back, you’ll need an invitation.">
      <Button look="grave" onClick={() => setOpen(true)}>
        Leave this organization…
      </Button>
      {open && <ConfirmLeaving orgSlug={orgSlug} name={name} onClose={() => setOpen(false)} />}
    </Card>
  )
}

function ConfirmLeaving({ orgSlug, name, onClose }: { orgSlug: string; name: string; onClose: () => void }) {
  const me = useMe()
  const navigate = useNavigate()
  const [organizationKeys, setOrganizationKeys] = useState<KeysChoice>('keep')
  const keys = useOrganizationKeys(orgSlug, me.email)
  const leave = useChange(
    () => client.removeOrganizationMember({ orgSlug, userId: me.id, organizationKeys }),
    async () => {
      toast(`You left ${name}.`)
      await navigate({ to: '/' })
      queryClient.removeQueries({ queryKey: ['getOrganization', { orgSlug }] })
    },
  )
  return (
    <Confirm
      title={`Leave ${name}?`}
      action="Leave"
      change={{ isPending: leave.isPending || keys.isPending, error: leave.error }}
      onConfirm={() => leave.mutate()}
      onClose={onClose}
    >
      <p>You lose access to all its workspaces immediately. Your user and workspace keys stop working.</p>
      <p>Pending invitations to you and from you are canceled.</p>
      <Loaded query={keys}>
        {(mine) =>
          mine.length > 0 && <OrganizationKeysChoice keys={mine} creator="You" value={organizationKeys} onChange={setOrganizationKeys} />
        }
      </Loaded>
    </Confirm>
  )
}
