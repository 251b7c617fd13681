import type { Output } from '@adjoin/contract/operations'
import { ShownOnce } from '../design/shown-once.tsx'
import { nameOf } from '../webhook-words.ts'

export type WebhookWithSecret = Output<'createWebhook'>

export const ShowWebhookSecret = ({ webhook, onClose }: { webhook: WebhookWithSecret; onClose: () => void }) => (
  <ShownOnce title={`Signing secret of “${nameOf(webhook)}”`} what="secret" text={webhook.secret} onClose={onClose}>
    <p>Your server uses it to verify that events come from us and were not changed. Keep it in a secret store, not in code.</p>
    <p>
      Deliveries are signed as{' '}
      <a href="https://www.standardwebhooks.com" className="link" target="_blank" rel="noreferrer">
        Standard Webhooks
      </a>{' '}
      describes, so you can verify them with any of its libraries.
    </p>
  </ShownOnce>
)
