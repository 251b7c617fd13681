import { useState } from 'react'
import { client, useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icons.tsx'
import { Menu, MenuItem, MenuLine } from '../design/menu.tsx'
import { toast } from '../design/toast.tsx'
import { nameOf, type Webhook, type WebhookParams } from '../webhook-words.ts'
import { More } from './invitations.tsx'
import { ShowWebhookSecret, type WebhookWithSecret } from './show-webhook-secret.tsx'
import { DeleteWebhook, RotateSecret, SwitchWebhook } from './webhook-confirms.tsx'
import { WebhookForm, type WebhookInput } from './webhook-form.tsx'
import { ReplayWebhook } from './webhook-replay.tsx'

type Props = { place: WebhookParams; webhook: Webhook }

export function WebhookActions({ place, webhook }: Props) {
  const [open, setOpen] = useState<'edit' | 'rotate' | 'switch' | 'replay' | 'delete'>()
  const [rotated, setRotated] = useState<WebhookWithSecret>()
  const props = { place, webhook, onClose: () => setOpen(undefined) }
  const disabled = webhook.status === 'disabled'
  return (
    <>
      {disabled && (
        <Button look="primary" onClick={() => setOpen('switch')}>
          Enable…
        </Button>
      )}
      <Button onClick={() => setOpen('edit')}>Edit</Button>
      <Menu label={`Actions for ${nameOf(webhook)}`} trigger={<More />}>
        <MenuItem onSelect={() => setOpen('replay')}>
          <Icon name="rotate" /> Replay events…
        </MenuItem>
        <MenuItem onSelect={() => setOpen('rotate')}>
          <Icon name="key" /> Rotate secret…
        </MenuItem>
        {!disabled && (
          <MenuItem onSelect={() => setOpen('switch')}>
            <Icon name="clock" /> Disable…
          </MenuItem>
        )}
        <MenuLine />
        <MenuItem danger onSelect={() => setOpen('delete')}>
          <Icon name="close" /> Delete…
        </MenuItem>
      </Menu>
      {open === 'edit' && <EditWebhook {...props} />}
      {open === 'replay' && <ReplayWebhook {...props} />}
      {open === 'switch' && <SwitchWebhook {...props} />}
      {open === 'delete' && <DeleteWebhook {...props} />}
      {open === 'rotate' && (
        <RotateSecret
          {...props}
          onRotated={(answer) => {
            setOpen(undefined)
            setRotated(answer)
          }}
        />
      )}
      {rotated && <ShowWebhookSecret webhook={rotated} onClose={() => setRotated(undefined)} />}
    </>
  )
}

function EditWebhook({ place, webhook, onClose }: Props & { onClose: () => void }) {
  const edit = useChange(
    ({ url, ...input }: WebhookInput) => client.updateWebhook(place, { ...input, ...(url && { url }) }),
    () => {
      onClose()
      toast('Webhook updated.')
    },
  )
  return (
    <WebhookForm
      orgSlug={place.orgSlug}
      title="Edit webhook"
      action="Update webhook"
      webhook={webhook}
      change={edit}
      onSubmit={(input) => edit.mutate(input)}
      onClose={onClose}
    />
  )
}
