import { client, useChange } from '../api.ts'
import { Card } from '../design/card.tsx'
import { Choice, type Option } from '../design/choice.tsx'
import { toast } from '../design/toast.tsx'
import { explain } from '../problem.ts'

type NotificationMode = Parameters<typeof client.setMyNotifications>[0]['mode']

const modes: Option<NotificationMode>[] = [
  { value: 'now', label: 'Immediately', help: 'An email for each integration that stops working or is about to expire.' },
  { value: 'daily', label: 'Once a day', help: 'One email with everything that needs attention.' },
  { value: 'off', label: 'Never', help: 'No emails about integrations. Sign-in codes and invitations still arrive.' },
]

/** Shown as chosen at once; put back if the service refuses. */
export function Notifications({ mode }: { mode: NotificationMode }) {
  const change = useChange(
    (next: NotificationMode) => client.setMyNotifications({ mode: next }),
    () => toast('Notifications updated.'),
  )
  return (
    <Card title="Notifications" note="About integrations that you own or created.">
      <Choice
        legend={<span className="sr-only">When to email you</span>}
        options={modes}
        value={change.isPending ? change.variables : mode}
        onChange={(next) => change.mutate(next, { onError: (error) => toast(explain(error).detail, { bad: true }) })}
      />
    </Card>
  )
}
