import { client, useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { Form } from '../design/form.tsx'
import { toast } from '../design/toast.tsx'
import type { FieldValues } from '../draft.ts'
import type { ConnectRequest, RequestParams } from '../request-words.ts'
import { ClientFields, RemindersField, RequestWords } from './request-fields.tsx'

/** What the client reads, and where; what is asked for stays as it was. */
export function EditRequest({ place, request, onClose }: { place: RequestParams; request: ConnectRequest; onClose: () => void }) {
  const save = useChange(
    ({ title, message, clientName, clientEmail, language, reminders }: FieldValues) =>
      client.updateConnectRequest(place, {
        title: title!,
        message: message?.trim() ? message : null,
        clientName: clientName || null,
        clientEmail: clientEmail || null,
        language: (language || null) as ConnectRequest['language'],
        reminders: reminders === 'on',
      }),
    () => {
      onClose()
      toast('Saved.')
    },
  )
  return (
    <Dialog title="Edit request" open onClose={onClose} wide>
      <Form<FieldValues> error={save.error} busy={save.isPending} onSubmit={(values) => save.mutate(values)}>
        <RequestWords {...request} />
        <ClientFields {...request} />
        <RemindersField on={request.reminders} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={save.isPending}>
            Save
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
