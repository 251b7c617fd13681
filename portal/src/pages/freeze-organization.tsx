import { useState } from 'react'
import { client, useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Card } from '../design/card.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { TextField } from '../design/field.tsx'
import { Form } from '../design/form.tsx'
import { toast } from '../design/toast.tsx'
import { useOrganization } from '../shell/organization-frame.tsx'

/** The emergency stop, for admins. While it is frozen, the banner above every page has the way back. */
export function FreezeOrganization() {
  const { frozen } = useOrganization()
  const [open, setOpen] = useState(false)
  return (
    <Card title="Freeze everything" note="For emergencies, such as a leaked key.">
      {frozen ? (
        <p className="text-soft">This organization is frozen. To resume, click Unfreeze at the top of the page.</p>
      ) : (
        <div className="grid justify-items-start gap-4">
          <p className="text-soft">Stops everything that Adjoin sends to ad systems for this organization, until an admin unfreezes it.</p>
          <Button look="grave" onClick={() => setOpen(true)}>
            Freeze everything…
          </Button>
        </div>
      )}
      {open && <Freeze onClose={() => setOpen(false)} />}
    </Card>
  )
}

function Freeze({ onClose }: { onClose: () => void }) {
  const { slug: orgSlug, name } = useOrganization()
  const freeze = useChange(
    ({ reason }: { reason: string }) => client.freezeOrganization({ orgSlug }, { reason }),
    () => {
      onClose()
      toast(`${name} is frozen. All admins were notified by email.`)
    },
  )
  return (
    <Dialog title={`Freeze ${name}?`} open onClose={onClose}>
      <Form<{ reason: string }> error={freeze.error} busy={freeze.isPending} onSubmit={(values) => freeze.mutate(values)}>
        <ul className="grid list-disc gap-1 pl-5 text-soft">
          <li>Calls, checks and renewals stop immediately, including calls in progress.</li>
          <li>Connect links stop working.</li>
          <li>People and API keys can still read what’s in Adjoin.</li>
          <li>Connections that must be renewed may expire. Your clients would then have to reconnect.</li>
        </ul>
        <TextField
          name="reason"
          label="Reason"
          help="Shown to everyone in the organization, and emailed to all admins."
          required
          maxLength={500}
          autoComplete="off"
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="danger" busy={freeze.isPending}>
            {freeze.isPending ? 'Stopping all calls…' : 'Freeze everything'}
          </Button>
        </DialogActions>
        <p role="status" className="sr-only">
          {freeze.isPending ? 'Stopping all calls. This takes a second.' : ''}
        </p>
      </Form>
    </Dialog>
  )
}
