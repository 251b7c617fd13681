import { useNavigate } from '@tanstack/react-router'
import { client, useChange } from '../api.ts'
import { Confirm } from '../design/confirm.tsx'
import { toast } from '../design/toast.tsx'
import { nameOf, type Webhook, type WebhookParams, waitingInWords } from '../webhook-words.ts'
import type { WebhookWithSecret } from './show-webhook-secret.tsx'

export type WebhookDialogProps = { place: WebhookParams; webhook: Webhook; onClose: () => void }

/** Off, or on again. */
export function SwitchWebhook({ place, webhook, onClose }: WebhookDialogProps) {
  const enable = webhook.status === 'disabled'
  const change = useChange(
    () => (enable ? client.enableWebhook(place) : client.disableWebhook(place)),
    () => {
      onClose()
      toast(enable ? 'Webhook enabled.' : 'Webhook disabled.')
    },
  )
  const action = enable ? 'Enable' : 'Disable'
  return (
    <Confirm
      title={`${action} “${nameOf(webhook)}”?`}
      action={action}
      harmless
      change={change}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    >
      {enable ? (
        <>
          <p>Sending continues where it stopped. {waitingInWords(webhook)}</p>
          <p>You become the owner of this webhook.</p>
        </>
      ) : (
        <>
          <p>We stop sending events to your server. Nothing is lost: events wait until you enable the webhook again.</p>
          <p>You can’t test, redeliver or receive events while it is disabled.</p>
        </>
      )}
    </Confirm>
  )
}

export function RotateSecret({
  place,
  webhook,
  onClose,
  onRotated,
}: WebhookDialogProps & { onRotated: (answer: WebhookWithSecret) => void }) {
  const rotate = useChange(() => client.rotateWebhookSecret(place), onRotated)
  return (
    <Confirm
      title={`Rotate the secret of “${nameOf(webhook)}”?`}
      action="Rotate secret"
      harmless
      change={rotate}
      onConfirm={() => rotate.mutate()}
      onClose={onClose}
    >
      <p>
        You get a new secret, shown once. For 24 hours we sign every event with both the new and the old secret, so you can roll it out.
      </p>
      <p>After that, or when you rotate again, servers that still use the old secret will reject our events.</p>
      <p>You become the owner of this webhook.</p>
    </Confirm>
  )
}

export function DeleteWebhook({ place, webhook, onClose }: WebhookDialogProps) {
  const navigate = useNavigate()
  const end = useChange(
    () => client.deleteWebhook(place),
    async () => {
      toast(`“${nameOf(webhook)}” was deleted.`)
      await navigate({ to: '/organizations/$orgSlug/webhooks', params: place })
    },
  )
  return (
    <Confirm
      title={`Delete “${nameOf(webhook)}”?`}
      action="Delete permanently"
      change={end}
      onConfirm={() => end.mutate()}
      onClose={onClose}
    >
      <p>We stop sending events to your server immediately. The secret and the list of deliveries are deleted. This can’t be undone.</p>
      {webhook.behind > 0 && <p>{waitingInWords(webhook)} Waiting events will not be sent.</p>}
      <p>To pause it instead, disable it. Entries in the audit trail are kept.</p>
    </Confirm>
  )
}
