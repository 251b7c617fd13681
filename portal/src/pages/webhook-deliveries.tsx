import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client, useChange } from '../api.ts'
import { Badge } from '../design/badge.tsx'
import { Button } from '../design/button.tsx'
import { Card } from '../design/card.tsx'
import { Empty } from '../design/empty.tsx'
import { InlineSelect } from '../design/inline-select.tsx'
import { Loaded } from '../design/loaded.tsx'
import { type Column, Table } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import { toast } from '../design/toast.tsx'
import { explain } from '../problem.ts'
import { answerInWords, attemptInWords, resultOf, type Webhook, type WebhookDelivery, type WebhookParams } from '../webhook-words.ts'
import { AnswerText } from './delivery-answer.tsx'

const LATEST = 20
type Outcome = NonNullable<WebhookDelivery['outcome']>
const outcomes: Record<Outcome, string> = { delivered: 'Delivered', failed: 'Failed', set_aside: 'Set aside' }

/** Every try, newest first. */
export function WebhookDeliveries({ place, webhook }: { place: WebhookParams; webhook: Webhook }) {
  const [outcome, setOutcome] = useState<Outcome>()
  const query = useInfiniteQuery({
    queryKey: ['listWebhookDeliveries', place, outcome, 'pages'],
    queryFn: ({ pageParam }) =>
      client.listWebhookDeliveries({ ...place, limit: LATEST, ...(outcome && { outcome }), ...(pageParam && { cursor: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: 10_000,
  })
  const redeliver = useChange(
    (deliveryId: string) => client.redeliverWebhook({ ...place, deliveryId }),
    (delivery) => toast(answerInWords(delivery), { bad: delivery.outcome !== 'delivered' }),
  )
  const send = (id: string) => redeliver.mutate(id, { onError: (error) => toast(explain(error).detail, { bad: true }) })
  const busyWith = redeliver.isPending ? redeliver.variables : undefined
  return (
    <Card
      title="Deliveries"
      note="Every attempt of the last 30 days, newest first."
      action={
        <InlineSelect
          aria-label="Show deliveries"
          value={outcome ?? ''}
          onChange={(event) => setOutcome((event.target.value || undefined) as Outcome | undefined)}
        >
          <option value="">All</option>
          {Object.entries(outcomes).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </InlineSelect>
      }
      flush
    >
      <Loaded query={query}>
        {({ pages }) => {
          const deliveries = pages.flatMap(({ deliveries }) => deliveries)
          if (deliveries.length === 0)
            return (
              <Empty icon="send" title={outcome ? 'No matching deliveries' : 'No deliveries yet'}>
                {outcome
                  ? 'Show all deliveries to see the others.'
                  : 'When the next event happens, you’ll see here what your server answered.'}
              </Empty>
            )
          return (
            <>
              <Table
                label="Deliveries"
                columns={columnsFor(send, busyWith, webhook.status === 'disabled')}
                rows={deliveries}
                id={({ id }) => id}
              />
              {query.hasNextPage && (
                <div className="grid justify-center border-line border-t p-3">
                  <Button look="quiet" size="small" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                    Show older deliveries
                  </Button>
                </div>
              )}
            </>
          )
        }}
      </Loaded>
    </Card>
  )
}

const columnsFor = (send: (id: string) => void, busyWith: string | undefined, disabled: boolean): Column<WebhookDelivery>[] => [
  {
    name: 'Event',
    lead: true,
    cell: (delivery) => (
      <span className="grid gap-0.5">
        <span className="wrap-anywhere font-mono text-small">{delivery.type}</span>
        <details className="text-faint text-small">
          <summary className="cursor-pointer">{delivery.sequence === null ? 'Details' : `Event ${delivery.sequence}, details`}</summary>
          <span className="mt-1.5 grid gap-2">
            <span>{answerInWords(delivery)}</span>
            <span className="wrap-anywhere">
              webhook-id: <code className="font-mono">{delivery.eventId}</code>
            </span>
            <AnswerText text={delivery.answer} />
          </span>
        </details>
      </span>
    ),
  },
  { name: 'Attempt', cell: (delivery) => <span>{attemptInWords(delivery)}</span> },
  {
    name: 'Result',
    cell: (delivery) => {
      const { words, tone } = resultOf(delivery)
      return <Badge tone={tone}>{words}</Badge>
    },
  },
  { name: 'When', cell: ({ at }) => <Time at={at} className="text-soft" /> },
  {
    name: 'Actions',
    actions: true,
    cell: ({ id, type }) => (
      <Button
        size="small"
        look="quiet"
        busy={busyWith === id}
        disabled={disabled}
        title={disabled ? 'Enable this webhook to send events again.' : undefined}
        aria-label={`Redeliver ${type}`}
        onClick={() => send(id)}
      >
        Redeliver
      </Button>
    ),
  },
]
