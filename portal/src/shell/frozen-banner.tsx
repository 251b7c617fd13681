import type { Output } from '@adjoin/contract/operations'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client, read, useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Confirm } from '../design/confirm.tsx'
import { Notice } from '../design/notice.tsx'
import { Time } from '../design/time.tsx'
import { toast } from '../design/toast.tsx'
import { may } from '../may.ts'

type Organization = Output<'getOrganization'>

/** Above every page of a frozen organization. Whoever has a page open learns of it within a minute. */
export function FrozenBanner({ organization }: { organization: Organization }) {
  const { slug: orgSlug, name, role, frozen } = organization
  useQuery({ ...read('getOrganization', { orgSlug }), refetchInterval: 60_000 })
  const [open, setOpen] = useState(false)
  if (!frozen) return null
  const mayThaw = may('thawOrganization', { organization: role })
  return (
    <div className="mb-5">
      <Notice
        tone="warn"
        title={`${name} is frozen`}
        detail={
          <>
            {frozen.by} stopped all calls, checks and renewals <Time at={frozen.at} />. Connect links don’t work.
            {!mayThaw && ' Ask an admin to unfreeze it.'}
          </>
        }
      >
        <p className="wrap-anywhere w-full text-ink">Reason: {frozen.reason}</p>
        {mayThaw && (
          <Button size="small" className="mt-1" onClick={() => setOpen(true)}>
            Unfreeze…
          </Button>
        )}
      </Notice>
      {open && <Unfreeze organization={organization} onClose={() => setOpen(false)} />}
    </div>
  )
}

function Unfreeze({ organization: { slug: orgSlug, name }, onClose }: { organization: Organization; onClose: () => void }) {
  const thaw = useChange(
    () => client.thawOrganization({ orgSlug }),
    () => {
      onClose()
      toast(`${name} is no longer frozen.`)
    },
  )
  return (
    <Confirm title={`Unfreeze ${name}?`} action="Unfreeze" harmless change={thaw} onConfirm={() => thaw.mutate()} onClose={onClose}>
      <p>Calls, checks and renewals start again, and connect links work again.</p>
      <p>If a key was leaked, revoke it first.</p>
    </Confirm>
  )
}
