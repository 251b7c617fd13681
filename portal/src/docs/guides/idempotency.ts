import type { Guide } from './guide.ts'

export const idempotency: Guide = {
  slug: 'idempotency',
  title: 'Idempotency',
  lead: 'Repeat a change safely when you don’t know whether it arrived.',
  text: `
Send an \`Idempotency-Key\` with a change: any text of up to 255 visible characters that you choose, such as a random UUID. For 24 hours, the same request with
the same key is carried out once. Repeating it returns the first response, with the header \`Idempotency-Replayed: true\`.

\`\`\`curl
curl -X POST {server}/v1/organizations/agency/workspaces \\
  -H "x-api-key: $ADJOIN_API_KEY" -H 'content-type: application/json' \\
  -H 'idempotency-key: 0f9d6c1e-onboarding-client-a' \\
  -d '{"name":"Client A","slug":"client-a"}'
\`\`\`
\`\`\`ts
// The client sends a key of its own with every change, and repeats after a broken connection. Choose yours to survive a restart:
await client.createWorkspace({ orgSlug: 'agency' }, { name: 'Client A', slug: 'client-a' }, { idempotencyKey: 'onboarding-client-a' })
\`\`\`
\`\`\`py
requests.post(
    "{server}/v1/organizations/agency/workspaces",
    headers={"x-api-key": os.environ["ADJOIN_API_KEY"], "idempotency-key": "onboarding-client-a"},
    json={"name": "Client A", "slug": "client-a"},
)
\`\`\`

## What you can get

| Situation | Answer |
|---|---|
| The first request was carried out | Its response again. Secrets that are shown once, such as a new key, are left out. |
| The first request is still running | 409 [\`request_running\`](/docs/errors/request_running). Try again in a moment. |
| The same key with another body or query | 422 [\`idempotency_mismatch\`](/docs/errors/idempotency_mismatch). Use a new key. |
| It was carried out, but its answer was lost | 409 [\`answer_lost\`](/docs/errors/answer_lost). Read the resource. |
| The first request was refused | Nothing was changed, so the request is carried out now. |

A key belongs to a caller, an operation and a path: two programs can’t collide. Reads don’t need one.

## Changes at ad systems

A change that goes through the [gateway](/docs/guides/gateway) with an Idempotency-Key is never sent twice. A repetition is 409
[\`already_sent\`](/docs/errors/already_sent), because Adjoin doesn’t keep the ad system’s answer. The integration’s
[calls](/docs/reference/listIntegrationCalls) say how the first one ended.
`,
}
