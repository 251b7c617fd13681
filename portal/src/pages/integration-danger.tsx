import { wouldEnd } from '@adjoin/contract/client'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { client, type IntegrationParams, useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Card } from '../design/card.tsx'
import { Confirm } from '../design/confirm.tsx'
import { toast } from '../design/toast.tsx'
import type { Integration } from '../integration-words.ts'
import { may } from '../may.ts'
import type { IntegrationProps } from './use-integration.ts'
import { WouldEnd } from './would-end.tsx'

/** What stops the connection, for a while or for good. */
export function IntegrationDanger({ place, integration, standing }: IntegrationProps) {
  const [open, setOpen] = useState<'disable' | 'delete'>()
  const close = () => setOpen(undefined)
  const mayDisable = may('disableIntegration', standing) && integration.status !== 'disabled'
  const mayDelete = may('deleteIntegration', standing)
  if (!mayDisable && !mayDelete) return null
  return (
    <Card title="Danger zone" flush>
      <div className="divide-y divide-line">
        {mayDisable && (
          <Act title="Disable" help="Stops checks, renewals and calls. The stored access is kept.">
            <Button look="grave" onClick={() => setOpen('disable')}>
              Disable…
            </Button>
          </Act>
        )}
        {mayDelete && (
          <Act title="Delete" help="Removes the stored access, the settings and the check history. This can’t be undone.">
            <Button look="grave" onClick={() => setOpen('delete')}>
              Delete…
            </Button>
          </Act>
        )}
      </div>
      {open === 'disable' && <Disable place={place} onClose={close} />}
      {open === 'delete' && <Delete place={place} integration={integration} onClose={close} />}
    </Card>
  )
}

const Act = ({ title, help, children }: { title: string; help: string; children: ReactNode }) => (
  <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 py-4">
    <div className="min-w-0 flex-1 basis-64">
      <h3 className="font-medium">{title}</h3>
      <p className="text-small text-soft">{help}</p>
    </div>
    {children}
  </div>
)

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
