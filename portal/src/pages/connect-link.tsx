import { useState } from 'react'
import { type CatalogueProvider, client, type IntegrationParams, useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Card } from '../design/card.tsx'
import { Confirm } from '../design/confirm.tsx'
import { CopyButton } from '../design/copy-button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { Form } from '../design/form.tsx'
import { Time } from '../design/time.tsx'
import { toast } from '../design/toast.tsx'
import type { Integration } from '../integration-words.ts'
import { may, type OwnRoles } from '../may.ts'
import { LifetimeField } from './create-integration.tsx'
import { EnterCredentials } from './enter-credentials.tsx'

type Props = { place: IntegrationParams; integration: Integration; provider: CatalogueProvider | undefined; standing: OwnRoles }

/** How access is given: by the client through the link, or, where there is a form, by members themselves. */
export function ConnectLink({ place, integration, provider, standing }: Props) {
  const [open, setOpen] = useState<'issue' | 'revoke' | 'enter'>()
  const close = () => setOpen(undefined)
  const { connectLink: link, connectedAt, status } = integration
  const live = link && !link.expired && status !== 'disabled'
  const mayIssue = may('issueConnectLink', standing) && status !== 'disabled' && provider
  const mayEnter = may('submitIntegrationCredentials', standing) && provider?.authMethod === 'credentials'
  const again = connectedAt !== null
  return (
    <Card
      title={again && !live ? 'Reconnect' : 'Connect link'}
      note={live ? 'For your client alone: whoever opens it can connect an account.' : undefined}
    >
      <div className="grid gap-4">
        {live ? (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <code
              className="wrap-anywhere min-w-0 flex-1 basis-64 rounded-base bg-sunken px-3 py-2 font-mono text-small"
              data-testid="link"
            >
              {link.connectUrl}
            </code>
            <CopyButton text={link.connectUrl} label="Copy link" />
          </div>
        ) : (
          <p className="text-soft">{missing(integration)}</p>
        )}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          {live && (
            <span className="text-small text-soft">
              Works once, and ends <Time at={link.expiresAt} />.
            </span>
          )}
          <span className="flex flex-wrap gap-2">
            {mayIssue && (
              <Button size="small" look={live || again ? 'plain' : 'primary'} onClick={() => setOpen('issue')}>
                {live ? 'Replace …' : link ? 'New link …' : 'Issue a link …'}
              </Button>
            )}
            {live && may('revokeConnectLink', standing) && (
              <Button size="small" look="grave" onClick={() => setOpen('revoke')}>
                Revoke …
              </Button>
            )}
            {mayEnter && (
              <Button size="small" onClick={() => setOpen('enter')}>
                Enter credentials yourself …
              </Button>
            )}
          </span>
        </div>
      </div>
      {open === 'issue' && <Issue place={place} replaces={Boolean(live)} onClose={close} />}
      {open === 'revoke' && <Revoke place={place} onClose={close} />}
      {open === 'enter' && provider && <EnterCredentials place={place} integration={integration} provider={provider} onClose={close} />}
    </Card>
  )
}

function missing({ status, connectLink, connectedAt }: Integration): string {
  if (status === 'disabled') return 'No link opens while the integration is disabled.'
  if (connectLink) return 'The link has expired. Issue a new one and send it to your client.'
  if (connectedAt) return 'The link was used. To give access anew, or with another account, issue another one.'
  return 'There is no link. Issue one and send it to your client.'
}

function Issue({ place, replaces, onClose }: { place: IntegrationParams; replaces: boolean; onClose: () => void }) {
  const issue = useChange(
    ({ expiresInDays }: { expiresInDays: string }) => client.issueConnectLink(place, { expiresInDays: Number(expiresInDays) }),
    () => {
      onClose()
      toast('A new link was issued. Copy it and send it to your client.')
    },
  )
  return (
    <Dialog
      title={replaces ? 'Replace the link' : 'Issue a connect link'}
      note={
        replaces ? 'The link you have sent stops working at once.' : 'Access that works now is kept until your client has connected anew.'
      }
      open
      onClose={onClose}
    >
      <Form<{ expiresInDays: string }> error={issue.error} busy={issue.isPending} onSubmit={(values) => issue.mutate(values)}>
        <LifetimeField />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={issue.isPending}>
            {replaces ? 'Replace' : 'Issue'}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

function Revoke({ place, onClose }: { place: IntegrationParams; onClose: () => void }) {
  const revoke = useChange(
    () => client.revokeConnectLink(place),
    () => {
      onClose()
      toast('The link is revoked.')
    },
  )
  return (
    <Confirm title="Revoke the link?" action="Revoke" change={revoke} onConfirm={() => revoke.mutate()} onClose={onClose}>
      <p>Whoever has it can no longer connect with it. Access that was already given stays.</p>
    </Confirm>
  )
}
