import { client, useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { TextField } from '../design/field.tsx'
import { Form } from '../design/form.tsx'
import { toast } from '../design/toast.tsx'
import { localMinute } from '../format.ts'
import { behindInWords, nameOf } from '../webhook-words.ts'
import type { WebhookDialogProps } from './webhook-confirms.tsx'

const HOUR = 3_600_000

export function ReplayWebhook({ place, webhook, onClose }: WebhookDialogProps) {
  const replay = useChange(
    // What is chosen is in the time zone of whoever chooses.
    (from: string) => client.replayWebhook(place, { from: new Date(from).toISOString() }),
    (after) => {
      onClose()
      toast(`Replay started: ${behindInWords(after).toLowerCase()}.`)
    },
  )
  const now = Date.now()
  return (
    <Dialog title={`Replay events to “${nameOf(webhook)}”`} open onClose={onClose}>
      <Form<{ from: string }> error={replay.error} busy={replay.isPending} onSubmit={({ from }) => replay.mutate(from)}>
        <div className="grid gap-2 text-soft">
          <p>Your server gets all events since this time again, in order, and new events after them.</p>
          <p>
            Events keep their <code className="font-mono text-small">webhook-id</code>. Make sure that your server ignores IDs it has
            already processed.
          </p>
          {webhook.status === 'disabled' && <p>This webhook is disabled, so nothing is sent until you enable it.</p>}
        </div>
        <TextField
          name="from"
          label="Replay from"
          help="In your time zone, at most 30 days ago."
          type="datetime-local"
          defaultValue={localMinute(now - HOUR)}
          min={localMinute(now - 30 * 24 * HOUR + HOUR)}
          max={localMinute(now)}
          required
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={replay.isPending}>
            Replay events
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
