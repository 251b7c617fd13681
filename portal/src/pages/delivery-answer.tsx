import { Badge } from '../design/badge.tsx'
import { answerInWords, resultOf, type WebhookDelivery } from '../webhook-words.ts'

/** How a delivery ended, and the beginning of what the server said. */
export const DeliveryAnswer = ({ delivery }: { delivery: WebhookDelivery }) => {
  const { words, tone } = resultOf(delivery)
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <Badge tone={tone}>{words}</Badge> <span className="text-small text-soft">{answerInWords(delivery)}</span>
      </p>
      <AnswerText text={delivery.answer} />
    </>
  )
}

export const AnswerText = ({ text }: { text: string | null }) =>
  text && (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no pointer scrolls it with the keyboard
    <pre tabIndex={0} className={box}>
      {text}
    </pre>
  )
const box = 'wrap-anywhere max-h-72 overflow-auto whitespace-pre-wrap rounded-base bg-sunken px-3.5 py-3 font-mono text-ink text-tiny'
