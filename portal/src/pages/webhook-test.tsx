import { client, useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Card } from '../design/card.tsx'
import { Icon } from '../design/icons.tsx'
import { Notice } from '../design/notice.tsx'
import { explain } from '../problem.ts'
import type { Webhook, WebhookParams } from '../webhook-words.ts'
import { DeliveryAnswer } from './delivery-answer.tsx'

/** One event now, and what the server says to it, in the same place. */
export function WebhookTest({ place, webhook }: { place: WebhookParams; webhook: Webhook }) {
  const test = useChange(() => client.testWebhook(place))
  const disabled = webhook.status === 'disabled'
  return (
    <Card
      title="Test"
      note={disabled ? 'Enable this webhook to test it.' : 'Sends one event of type webhook.test now. Waiting events are not affected.'}
      action={
        <Button busy={test.isPending} disabled={disabled} onClick={() => test.mutate()}>
          {!test.isPending && <Icon name="send" />} Send test event
        </Button>
      }
    >
      {test.error ? (
        <Notice tone="bad" {...explain(test.error)} />
      ) : test.data ? (
        <section className="grid gap-2" aria-label="Answer" aria-live="polite">
          <DeliveryAnswer delivery={test.data} />
        </section>
      ) : (
        <p className="text-faint">{disabled ? 'Nothing is sent while it is disabled.' : 'Your server’s answer will appear here.'}</p>
      )}
    </Card>
  )
}
