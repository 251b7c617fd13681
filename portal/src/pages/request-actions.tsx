import { useState } from 'react'
import { client, useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Confirm } from '../design/confirm.tsx'
import { Icon } from '../design/icons.tsx'
import { toast } from '../design/toast.tsx'
import { may, type OwnRoles } from '../may.ts'
import { explain } from '../problem.ts'
import { type ConnectRequest, clientCanAct, isClosed, isOpen, isWaiting, type RequestParams } from '../request-words.ts'

type ActionsProps = { place: RequestParams; request: ConnectRequest; standing: OwnRoles }

const fail = { onError: (error: Error) => toast(explain(error).detail, { bad: true }) }

/** What can be done about it now, for those who may. */
export function RequestActions({ place, request, standing }: ActionsProps) {
  const [canceling, setCanceling] = useState(false)
  const { sentAt, clientEmail, mailsStopped, status, connectUrl } = request
  const linkRemains = status === 'complete' && connectUrl !== null
  const mayMail = may('sendConnectRequest', standing) && isOpen(request) && clientCanAct(request) && clientEmail && !mailsStopped
  return (
    <>
      {mayMail && (sentAt ? <Remind place={place} request={request} /> : <Send place={place} email={clientEmail} />)}
      {may('cancelConnectRequest', standing) && (linkRemains || !isClosed(request)) && (
        <Button look="grave" onClick={() => setCanceling(true)}>
          {linkRemains ? 'End link…' : 'Cancel request…'}
        </Button>
      )}
      {canceling && <Cancel place={place} linkAlone={linkRemains} onClose={() => setCanceling(false)} />}
    </>
  )
}

function Send({ place, email }: { place: RequestParams; email: string }) {
  const send = useChange(
    () => client.sendConnectRequest(place),
    () => toast(`Emailed to ${email}.`),
  )
  return (
    <Button busy={send.isPending} onClick={() => send.mutate(undefined, fail)}>
      {!send.isPending && <Icon name="mail" />} Email to client
    </Button>
  )
}

/** One email with what is still open, as a reminder for several requests does it. */
function Remind({ place: { orgSlug }, request }: Omit<ActionsProps, 'standing'>) {
  const remind = useChange(
    () =>
      client.bulkIntegrations({ orgSlug }, { action: 'remind', ids: request.items.filter(isWaiting).map((item) => item.integrationId) }),
    ({ results }) => {
      const refused = results.find(({ outcome }) => outcome === 'refused')
      toast(refused ? (refused.detail ?? 'This is not possible now.') : `Reminder emailed to ${request.clientEmail}.`, {
        bad: Boolean(refused),
      })
    },
  )
  return (
    <Button busy={remind.isPending} onClick={() => remind.mutate(undefined, fail)}>
      {!remind.isPending && <Icon name="mail" />} Send reminder
    </Button>
  )
}

function Cancel({ place, linkAlone, onClose }: { place: RequestParams; linkAlone: boolean; onClose: () => void }) {
  const cancel = useChange(
    () => client.cancelConnectRequest(place),
    () => {
      onClose()
      toast(linkAlone ? 'Link ended.' : 'Request canceled.')
    },
  )
  return (
    <Confirm
      title={linkAlone ? 'End the link of this request?' : 'Cancel this request?'}
      action={linkAlone ? 'End link' : 'Cancel request'}
      back="Keep it"
      change={cancel}
      onConfirm={() => cancel.mutate()}
      onClose={onClose}
    >
      {linkAlone ? (
        <p>It still shows your client what is done. It stops working immediately; the request stays complete.</p>
      ) : (
        <p>Its link stops working immediately, also for people it was passed on to, and we send no more reminders.</p>
      )}
      <p>The integrations stay as they are. What is connected keeps working.</p>
    </Confirm>
  )
}
