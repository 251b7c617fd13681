import type { Guide } from './guide.ts'

export const webhooks: Guide = {
  slug: 'webhooks',
  title: 'Webhooks and events',
  lead: 'Know when a client connects or a connection breaks, without asking.',
  text: `
Everything that happens in an organization is an event. Read them from a feed, or have them sent to your server by a webhook.

\`\`\`json
{
  "id": "0b8f6c1e-58f2-4a5e-9d8c-7a3f1f0f2f11",
  "sequence": 4711,
  "type": "integration.status_changed",
  "createdAt": "2026-11-15T20:01:02.345Z",
  "organization": { "slug": "agency" },
  "workspace": { "id": "5f0c1d1e-8a54-4d2b-9a70-6f1f2a3b4c5d", "slug": "client-a", "name": "Client A" },
  "actor": { "type": "system", "name": "Adjoin" },
  "data": {
    "integration": {
      "id": "2c9f0b1a-3a53-4c6f-8d57-4f0c9a1b2c3d",
      "name": "Search",
      "provider": "google_ads",
      "status": "error",
      "statusReason": "access_revoked",
      "mustAct": "client",
      "connectedAccount": "Brand (123-456-7890)"
    },
    "changes": [{ "field": "status", "from": "active", "to": "error" }]
  }
}
\`\`\`

There is never a secret or a link in an event.

## Create a webhook

Under **Webhooks** in the portal, or with [createWebhook](/docs/reference/createWebhook). The secret (\`whsec_…\`) is shown once. The address must be https and
public; in development, \`http://localhost\` works too. \`types\` takes types and groups, such as \`integration.*\`.

## Verify the signature

Deliveries are signed as [Standard Webhooks](https://www.standardwebhooks.com) describes, so every verifier for that standard works. Always verify before you
trust a delivery, with the body exactly as it arrived:

\`\`\`ts
import { verifyWebhook } from '@adjoin/contract/verify-webhook'

// Throws if the delivery is not genuine, or older than 5 minutes.
const event = await verifyWebhook(request.headers, await request.text(), process.env.WEBHOOK_SECRET!)
\`\`\`
\`\`\`py
import base64, hashlib, hmac, json, time

def verify(headers: dict, body: bytes, secret: str) -> dict:
    sent = headers["webhook-timestamp"]
    if abs(time.time() - int(sent)) > 300:
        raise ValueError("too old")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    text = f"{headers['webhook-id']}.{sent}.".encode() + body
    expected = base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()
    if not any(hmac.compare_digest(one, f"v1,{expected}") for one in headers["webhook-signature"].split()):
        raise ValueError("not genuine")
    return json.loads(body)
\`\`\`

After [rotating the secret](/docs/reference/rotateWebhookSecret), deliveries carry a signature of the new and one of the old secret for 24 hours.

## What you can rely on

- **In order, at least once.** The next event is sent after your server has answered the last with 2xx, within 15 seconds. \`webhook-id\` is the event’s ID and stays the same over all tries: ignore the ones you have seen.
- **Retries** after 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 3 h, then every 6 h, or when your \`Retry-After\` says. After a day without success, the admins get an email; after 5 days the webhook is disabled. Enabling it continues where it stopped.
- **410** disables the webhook at once. An event that your server refuses with another 4xx five times is set aside; you can send it again.
- **Redirects** are not followed.
- Deliveries are kept for 30 days, with your server’s answers. [Replay](/docs/reference/replayWebhook) sends everything since a time again.

## Try it on your machine

\`\`\`sh
adjoin webhooks listen --forward-to http://localhost:4000/hook
\`\`\`

This follows the feed and posts signed copies to your program; no public address is needed.

## Read the feed instead

[List events](/docs/reference/listEvents) returns \`events\`, oldest first, and \`next\`. Send \`next\` as \`after\` with the following request, and you get every event exactly once,
also across restarts. \`wait=25\` answers as soon as there is one.

\`\`\`curl
curl '{server}/v1/organizations/agency/events?after=start&types=integration.*' -H "x-api-key: $ADJOIN_API_KEY"
\`\`\`
\`\`\`cli
adjoin events --follow --types "integration.*" --org agency
\`\`\`
\`\`\`ts
for await (const event of client.events({ orgSlug: 'agency', after: 'start' })) console.log(event.type)
\`\`\`
\`\`\`py
after = "start"
while True:
    page = requests.get(
        "{server}/v1/organizations/agency/events",
        headers={"x-api-key": os.environ["ADJOIN_API_KEY"]},
        params={"after": after, "wait": 25},
    ).json()
    for event in page["events"]:
        print(event["type"])
    after = page["next"]
\`\`\`
`,
}
