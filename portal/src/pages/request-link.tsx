import { useState } from 'react'
import { client, useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Card } from '../design/card.tsx'
import { CopyButton } from '../design/copy-button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { Form } from '../design/form.tsx'
import { Time } from '../design/time.tsx'
import { toast } from '../design/toast.tsx'
import { may, type OwnRoles } from '../may.ts'
import { type ConnectRequest, clientCanAct, isOpen, type RequestParams } from '../request-words.ts'
import { LifetimeField } from './create-integration.tsx'

type LinkProps = { place: RequestParams; request: ConnectRequest; standing: OwnRoles }

/** The one way in for the client. Only people who work here see it. */
export function RequestLink({ place, request, standing }: LinkProps) {
  const [renewing, setRenewing] = useState(false)
  const { connectUrl, expiresAt } = request
  const open = isOpen(request)
  const mayRenew = may('renewConnectRequest', standing)
  if (!mayRenew)
    return open ? (
      <p className="text-soft">
        The link expires <Time at={expiresAt} />. Only members of this workspace see it.
      </p>
    ) : null
  return (
    <Card title="Link for your client" note={open ? 'Send it to your client only: anyone who opens it can connect an account.' : undefined}>
      <div className="grid gap-4">
        {open && connectUrl ? (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <code
              className="wrap-anywhere min-w-0 flex-1 basis-64 rounded-base bg-sunken px-3 py-2 font-mono text-small"
              data-testid="link"
            >
              {connectUrl}
            </code>
            <CopyButton text={connectUrl} label="Copy link" look="primary" />
          </div>
        ) : (
          <p className="text-soft">The link has expired. Renew it so that your client can continue where they stopped.</p>
        )}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          {open && (
            <span className="text-small text-soft">
              <Mailed request={request} /> Expires <Time at={expiresAt} />.
            </span>
          )}
          <Button size="small" look={open ? 'plain' : 'primary'} onClick={() => setRenewing(true)}>
            Renew…
          </Button>
        </div>
      </div>
      {renewing && <Renew place={place} request={request} onClose={() => setRenewing(false)} />}
    </Card>
  )
}

/** So that nobody thinks that somebody else has sent it. */
const Mailed = ({ request: { sentAt, startedAt } }: Pick<LinkProps, 'request'>) =>
  sentAt ? (
    <>
      Emailed <Time at={sentAt} />.
    </>
  ) : startedAt ? (
    'Not emailed.'
  ) : (
    'Not emailed. Copy the link and send it to your client.'
  )

function Renew({ place, request, onClose }: Omit<LinkProps, 'standing'> & { onClose: () => void }) {
  const mails = request.sentAt && clientCanAct(request) && request.clientEmail && !request.mailsStopped
  const renew = useChange(
    ({ expiresInDays }: { expiresInDays: string }) => client.renewConnectRequest(place, { expiresInDays: Number(expiresInDays) }),
    () => {
      onClose()
      toast(mails ? `New link created and emailed to ${request.clientEmail}.` : 'New link created. Copy it and send it to your client.')
    },
  )
  return (
    <Dialog
      title="Renew link"
      note={`${isOpen(request) ? 'The current link stops working immediately, and so do links that were passed on from it. ' : ''}What is connected stays connected.${mails ? ' We email the new link to your client.' : ''}`}
      open
      onClose={onClose}
    >
      <Form<{ expiresInDays: string }> error={renew.error} busy={renew.isPending} onSubmit={(values) => renew.mutate(values)}>
        <LifetimeField days="14" />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={renew.isPending}>
            Renew
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
