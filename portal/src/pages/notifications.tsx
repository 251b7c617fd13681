import { client } from '../api.ts'
import { Card } from '../design/card.tsx'
import { Choice, type Option } from '../design/choice.tsx'
import { toast } from '../design/toast.tsx'
import { useChoice } from '../use-choice.ts'

type NotificationMode = Parameters<typeof client.setMyNotifications>[0]['mode']

const modes: Option<NotificationMode>[] = [
  { value: 'now', label: 'Immediately', help: 'An email for each integration that stops working or is about to expire.' },
  { value: 'daily', label: 'Once a day', help: 'One email with everything that needs attention.' },
  { value: 'off', label: 'Never', help: 'No emails about integrations. Sign-in codes and invitations still arrive.' },
]

export function Notifications({ mode }: { mode: NotificationMode }) {
  const { shown, choose } = useChoice(
    mode,
    (next) => client.setMyNotifications({ mode: next }),
    () => toast('Notifications updated.'),
  )
  return (
    <Card title="Notifications" note="About integrations that you own or created.">
      <Choice legend={<span className="sr-only">When to email you</span>} options={modes} value={shown} onChange={choose} />
    </Card>
  )
}
