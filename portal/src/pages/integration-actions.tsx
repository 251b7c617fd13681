import { wouldEnd } from '@adjoin/contract/client'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client, type IntegrationParams, useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Confirm } from '../design/confirm.tsx'
import { Icon } from '../design/icons.tsx'
import { Menu, MenuItem } from '../design/menu.tsx'
import { toast } from '../design/toast.tsx'
import type { Integration } from '../integration-words.ts'
import { may, type OwnRoles } from '../may.ts'
import { explain } from '../problem.ts'
import { More } from './invitations.tsx'
import { WouldEnd } from './would-end.tsx'

type Props = { place: IntegrationParams; integration: Integration; standing: OwnRoles }
const fail = { onError: (error: Error) => toast(explain(error).detail, { bad: true }) }

/** What can be done with it now: only what the role allows and the state makes sense of. */
export function IntegrationActions({ place, integration, standing }: Props) {
  const [open, setOpen] = useState<'disable' | 'delete'>()
  const { status, connectedAt, name, providerName } = integration
  const verify = useChange(() => client.verifyIntegration(place), tell)
  const enable = useChange(() => client.enableIntegration(place), tell)
  const mayDisable = may('disableIntegration', standing) && status !== 'disabled'
  const mayDelete = may('deleteIntegration', standing)
  return (
    <>
      {may('verifyIntegration', standing) && connectedAt && status !== 'disabled' && (
        <Button busy={verify.isPending} onClick={() => verify.mutate(undefined, fail)}>
          {!verify.isPending && <Icon name="rotate" />} {verify.isPending ? `Checking with ${providerName}…` : 'Verify now'}
        </Button>
      )}
      {may('enableIntegration', standing) && status === 'disabled' && (
        <Button look="primary" busy={enable.isPending} onClick={() => enable.mutate(undefined, fail)}>
          Enable
        </Button>
      )}
      {(mayDisable || mayDelete) && (
        <Menu label={`Actions for ${name}`} trigger={<More />}>
          {mayDisable && (
            <MenuItem onSelect={() => setOpen('disable')}>
              <Icon name="clock" /> Disable…
            </MenuItem>
          )}
          {mayDelete && (
            <MenuItem danger onSelect={() => setOpen('delete')}>
              <Icon name="close" /> Delete…
            </MenuItem>
          )}
        </Menu>
      )}
      {open === 'disable' && <Disable place={place} onClose={() => setOpen(undefined)} />}
      {open === 'delete' && <Delete place={place} integration={integration} onClose={() => setOpen(undefined)} />}
    </>
  )
}

function tell({ status, lastError, connectedAccount, providerName }: Integration) {
  if (lastError) toast(`We couldn’t reach ${providerName}. We’ll retry automatically.`, { bad: true })
  else if (status === 'active') toast(`The connection works${connectedAccount ? `: ${connectedAccount}` : ''}.`)
  else if (status === 'error') toast('The connection doesn’t work. See the details on this page.', { bad: true })
  else toast('Integration enabled. It still has to be connected.')
}

function Disable({ place, onClose }: { place: IntegrationParams; onClose: () => void }) {
  const disable = useChange(
    () => client.disableIntegration(place),
    () => {
      onClose()
      toast('Integration disabled.')
    },
  )
  return (
    <Confirm
      title="Disable this integration?"
      action="Disable"
      harmless
      change={disable}
      onConfirm={() => disable.mutate()}
      onClose={onClose}
    >
      <p>We stop checking and renewing the connection, and its connect link no longer works. The stored access is kept.</p>
      <p>You can enable it again at any time.</p>
      <WouldEnd of={['disableIntegration', place]} ask={() => wouldEnd(client, 'disableIntegration', place)} />
    </Confirm>
  )
}

function Delete({ place, integration, onClose }: { place: IntegrationParams; integration: Integration; onClose: () => void }) {
  const navigate = useNavigate()
  const { name, connectedAccount, connectLink, providerName } = integration
  const end = useChange(
    () => client.deleteIntegration(place),
    async () => {
      toast(`“${name}” was deleted.`)
      await navigate({ to: '/organizations/$orgSlug/workspaces/$workspaceSlug', params: place })
    },
  )
  return (
    <Confirm title={`Delete “${name}”?`} action="Delete permanently" change={end} onConfirm={() => end.mutate()} onClose={onClose}>
      <p>This can’t be undone. You will lose:</p>
      <ul className="grid list-disc gap-1 pl-5">
        {connectedAccount && (
          <li className="text-soft">
            the stored access to <strong className="wrap-anywhere">{connectedAccount}</strong>, which we also revoke at {providerName} if
            possible
          </li>
        )}
        {connectLink && <li className="text-soft">its connect link</li>}
        <li className="text-soft">its settings and check history</li>
      </ul>
      <p>Entries in the audit trail are kept. To use {providerName} again, your client will have to reconnect.</p>
      <WouldEnd of={['deleteIntegration', place]} ask={() => wouldEnd(client, 'deleteIntegration', place)} />
    </Confirm>
  )
}
