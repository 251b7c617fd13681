import { wouldEnd } from '@adjoin/contract/client'
import { useState } from 'react'
import { client, type Member, useChange } from '../api.ts'
import { Confirm } from '../design/confirm.tsx'
import { Loaded } from '../design/loaded.tsx'
import { toast } from '../design/toast.tsx'
import { type KeysChoice, OrganizationKeysChoice, useOrganizationKeys } from './organization-keys-choice.tsx'
import { WouldEnd } from './would-end.tsx'

type Props = { orgSlug: string; member: Member; onClose: () => void; onRemoved?: () => Promise<unknown> }

/** Confirmed once the person's organization keys are in sight, so that nobody forgets them. */
export function RemoveMember({ orgSlug, member, onClose, onRemoved }: Props) {
  const name = member.name || member.email
  const [organizationKeys, setOrganizationKeys] = useState<KeysChoice>('keep')
  const keys = useOrganizationKeys(orgSlug, member.email)
  const ending = { orgSlug, userId: member.userId, organizationKeys }
  const remove = useChange(
    () => client.removeOrganizationMember(ending),
    async () => {
      onClose()
      toast(`${name} was removed.`)
      await onRemoved?.()
    },
  )
  return (
    <Confirm
      title={`Remove ${name}?`}
      action="Remove"
      change={{ isPending: remove.isPending || keys.isPending, error: remove.error }}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>They lose access to every workspace immediately. Their user and workspace keys stop working.</p>
      <p>Pending invitations to them and from them are canceled. To come back, they’ll need a new invitation.</p>
      <Loaded query={keys}>
        {(theirs) =>
          theirs.length > 0 && (
            <OrganizationKeysChoice keys={theirs} creator={name} value={organizationKeys} onChange={setOrganizationKeys} />
          )
        }
      </Loaded>
      <WouldEnd of={['removeOrganizationMember', ending]} ask={() => wouldEnd(client, 'removeOrganizationMember', ending)} />
    </Confirm>
  )
}
