import { wouldEnd } from '@adjoin/contract/client'
import { useState } from 'react'
import { type ApiKey, client, type MintedKey, useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Confirm } from '../design/confirm.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { SelectField, TextField } from '../design/field.tsx'
import { Form } from '../design/form.tsx'
import { Icon } from '../design/icons.tsx'
import { Menu, MenuItem, MenuLine } from '../design/menu.tsx'
import { toast } from '../design/toast.tsx'
import { explain } from '../problem.ts'
import { days, ExpiryField } from './create-api-key.tsx'
import { More } from './invitations.tsx'
import { WouldEnd } from './would-end.tsx'

type Props = { orgSlug: string; apiKey: ApiKey; mine: boolean; onMinted: (key: MintedKey) => void }

/** What may be done with a key: a user key is its creator's alone, except that admins may revoke it. */
export function ApiKeyMenu({ orgSlug, apiKey, mine, onMinted }: Props) {
  const [open, setOpen] = useState<'rotate' | 'rename' | 'revoke'>()
  const close = () => setOpen(undefined)
  const place = { orgSlug, id: apiKey.id }
  const full = apiKey.level !== 'user' || mine
  const { name, status } = apiKey
  const toggle = useChange(
    () => (status === 'disabled' ? client.enableApiKey(place) : client.disableApiKey(place)),
    (key) =>
      toast(key.status === 'disabled' ? `“${name}” is disabled. Requests with it are rejected.` : `“${name}” is ${key.status} again.`),
  )
  const revoke = useChange(
    () => client.revokeApiKey(place),
    () => {
      close()
      toast(`“${name}” was revoked.`)
    },
  )
  if (status === 'revoked') return null
  return (
    <>
      <Menu label={`Actions for the key ${name}`} trigger={<More />}>
        {full && status !== 'disabled' && !apiKey.replacedAt && (
          <MenuItem onSelect={() => setOpen('rotate')}>
            <Icon name="rotate" /> Rotate…
          </MenuItem>
        )}
        {full && (
          <MenuItem onSelect={() => setOpen('rename')}>
            <Icon name="settings" /> Rename…
          </MenuItem>
        )}
        {full && status !== 'expired' && (
          <MenuItem onSelect={() => toggle.mutate(undefined, { onError: (error) => toast(explain(error).detail, { bad: true }) })}>
            <Icon name="clock" /> {status === 'disabled' ? 'Enable' : 'Disable'}
          </MenuItem>
        )}
        {full && <MenuLine />}
        <MenuItem danger onSelect={() => setOpen('revoke')}>
          <Icon name="close" /> Revoke…
        </MenuItem>
      </Menu>
      {open === 'rotate' && (
        <RotateKey
          place={place}
          name={name}
          onClose={close}
          onMinted={(key) => {
            close()
            onMinted(key)
          }}
        />
      )}
      {open === 'rename' && <Rename place={place} name={name} onClose={close} />}
      {open === 'revoke' && (
        <Confirm title={`Revoke “${name}”?`} action="Revoke permanently" change={revoke} onConfirm={() => revoke.mutate()} onClose={close}>
          <p>Programs that use this key stop working immediately. This can’t be undone.</p>
          <p>To replace the key without interruption, rotate it instead and give the old key a grace period.</p>
          <WouldEnd of={['revokeApiKey', place]} ask={() => wouldEnd(client, 'revokeApiKey', place)} />
        </Confirm>
      )}
    </>
  )
}

type KeyParams = { orgSlug: string; id: string }

function Rename({ place, name, onClose }: { place: KeyParams; name: string; onClose: () => void }) {
  const rename = useChange((name: string) => client.updateApiKey(place, { name }), onClose)
  return (
    <Dialog title="Rename key" open onClose={onClose}>
      <Form<{ name: string }> error={rename.error} busy={rename.isPending} onSubmit={(values) => rename.mutate(values.name)}>
        <TextField name="name" label="Name" required maxLength={100} defaultValue={name} autoComplete="off" />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={rename.isPending}>
            Rename
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

type RotateProps = { place: KeyParams; name: string; onClose: () => void; onMinted: (key: MintedKey) => void }
const graces: [number, string][] = [
  [0, 'None: the old key stops working immediately'],
  [1, '1 hour'],
  [24, '24 hours'],
  [72, '3 days'],
  [168, '7 days'],
]

export function RotateKey({ place, name, onClose, onMinted }: RotateProps) {
  const rotate = useChange(
    ({ graceHours, expiresInDays }: { graceHours: string; expiresInDays: string }) =>
      client.rotateApiKey(place, { graceHours: Number(graceHours), ...days(expiresInDays) }),
    onMinted,
  )
  return (
    <Dialog
      title={`Rotate “${name}”`}
      note="Creates a new key with the same name and access. It will belong to you. The old key stops working after the grace period."
      open
      onClose={onClose}
    >
      <Form<{ graceHours: string; expiresInDays: string }>
        error={rotate.error}
        busy={rotate.isPending}
        onSubmit={(values) => rotate.mutate(values)}
      >
        <SelectField
          name="graceHours"
          label="Grace period for the old key"
          help="Both keys work during this time, so you can roll out the new one. The old key never outlives its own expiry."
          defaultValue="24"
        >
          {graces.map(([hours, text]) => (
            <option key={hours} value={hours}>
              {text}
            </option>
          ))}
        </SelectField>
        <ExpiryField none="Same lifetime as the old key" />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={rotate.isPending}>
            Rotate
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
