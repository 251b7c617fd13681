import { Link } from '@tanstack/react-router'
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
import type { HealthyIntegration } from '../integration-words.ts'
import { may, type OwnRoles } from '../may.ts'
import { LifetimeField } from './create-integration.tsx'
import { EnterCredentials } from './enter-credentials.tsx'

type Props = { place: IntegrationParams; integration: HealthyIntegration; provider: CatalogueProvider | undefined; standing: OwnRoles }

/** How access is given: by the client through the link, or, where there is a form, by members themselves. */
export function ConnectLink({ place, integration, provider, standing }: Props) {
  const [open, setOpen] = useState<'issue' | 'revoke' | 'enter'>()
  const close = () => setOpen(undefined)
  const { connectLink: link, connectedAt, status, connectRequestId: requestId } = integration
  const live = link && !link.expired && status !== 'disabled'
  const mayIssue = may('issueConnectLink', standing) && status !== 'disabled' && provider
  const mayEnter = may('submitIntegrationCredentials', standing) && provider?.authMethod === 'credentials'
  const again = connectedAt !== null
  // Until it works, the link is the one step that helps.
  const works = status === 'active'
  return (
    <Card
      title={again && !live ? 'Reconnect' : 'Connect link'}
      note={live ? 'Send it to your client only: anyone who opens it can connect an account.' : undefined}
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
            <CopyButton text={link.connectUrl} label="Copy link" look={works ? 'plain' : 'primary'} />
          </div>
        ) : (
          <p className="text-soft">{missing(integration)}</p>
        )}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          {live && (
            <span className="text-small text-soft">
              Works once. Expires <Time at={link.expiresAt} />.
            </span>
          )}
          <span className="flex flex-wrap gap-2">
            {requestId && (
              <Button asChild size="small" look={live || works ? 'plain' : 'primary'}>
                <Link to="/organizations/$orgSlug/workspaces/$workspaceSlug/requests/$requestId" params={{ ...place, requestId }}>
                  Open request
                </Link>
              </Button>
            )}
            {mayIssue && (
              <Button size="small" look={live || works || requestId ? 'plain' : 'primary'} onClick={() => setOpen('issue')}>
                {live ? 'Replace…' : link ? 'New link…' : 'Create link…'}
              </Button>
            )}
            {live && may('revokeConnectLink', standing) && (
              <Button size="small" look="grave" onClick={() => setOpen('revoke')}>
                Revoke…
              </Button>
            )}
            {mayEnter && (
              <Button size="small" onClick={() => setOpen('enter')}>
                Enter credentials yourself…
              </Button>
            )}
          </span>
        </div>
      </div>
      {open === 'issue' && <IssueLink place={place} replaces={Boolean(live)} onClose={close} />}
      {open === 'revoke' && <Revoke place={place} onClose={close} />}
      {open === 'enter' && provider && <EnterCredentials place={place} integration={integration} provider={provider} onClose={close} />}
    </Card>
  )
}

function missing({ status, connectLink, connectedAt, connectRequestId }: HealthyIntegration): string {
  if (status === 'disabled') return 'Connect links don’t work while the integration is disabled.'
  if (connectRequestId) return 'This integration is part of a connect request, which has its own link.'
  if (connectLink) return 'The link has expired. Create a new one and send it to your client.'
  if (connectedAt) return 'The link was used. To reconnect or switch accounts, create a new link.'
  return 'There is no link. Create one and send it to your client.'
}

export function IssueLink({ place, replaces, onClose }: { place: IntegrationParams; replaces: boolean; onClose: () => void }) {
  const issue = useChange(
    ({ expiresInDays }: { expiresInDays: string }) => client.issueConnectLink(place, { expiresInDays: Number(expiresInDays) }),
    () => {
      onClose()
      toast('New link created. Copy it and send it to your client.')
    },
  )
  return (
    <Dialog
      title={replaces ? 'Replace connect link' : 'Create connect link'}
      note={
        replaces
          ? 'The current link stops working immediately.'
          : 'If this integration is already connected, it keeps working until your client reconnects.'
      }
      open
      onClose={onClose}
    >
      <Form<{ expiresInDays: string }> error={issue.error} busy={issue.isPending} onSubmit={(values) => issue.mutate(values)}>
        <LifetimeField />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={issue.isPending}>
            {replaces ? 'Replace' : 'Create'}
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
      toast('The link was revoked.')
    },
  )
  return (
    <Confirm title="Revoke this link?" action="Revoke" change={revoke} onConfirm={() => revoke.mutate()} onClose={onClose}>
      <p>Nobody can connect with it anymore. Existing access is not affected.</p>
    </Confirm>
  )
}
