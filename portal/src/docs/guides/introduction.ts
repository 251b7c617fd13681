import type { Guide } from './guide.ts'

export const introduction: Guide = {
  slug: 'introduction',
  title: 'Introduction',
  lead: 'Connect an ad system and make your first call, in five minutes.',
  text: `
Adjoin connects your agency to your clients’ ad systems. A client authorizes once, through a link. From then on your software calls the
ad system’s own API through Adjoin, with an Adjoin key, and never sees the client’s credentials.

## The words

| | |
|---|---|
| **Organization** | Your agency: its people, API keys, webhooks and audit trail. |
| **Workspace** | One client of yours, separate from all others. |
| **Integration** | One connection of a workspace to one ad system. |
| **Connect link** | What you send to a client, so that they can connect an integration. |

Organizations and workspaces have a slug, such as \`agency\` and \`client-a\`. Slugs are part of every address, and never change.

## Connect the Google Ads sandbox

On a service that runs for development, a local stand-in answers for every ad system, so nothing you do here reaches a real one.

1. [Sign up](/signup) with any work email for the organization **Agency**. Your code is in the [development mailbox](/dev/mailbox).
2. Create a workspace called **Client A**, and in it an integration for Google Ads with the customer ID \`1234567890\`.
3. Open its connect link in a private window. This is what your client sees. Choose **Allow**.
4. The integration’s page now says **Active**. Its ID is in the address of the page; the commands below call it \`$ID\`.

## Make a call

Create an API key under **API keys**, with the role viewer, and keep it in \`ADJOIN_API_KEY\`. Then ask Google Ads what the campaigns
spent yesterday:

\`\`\`curl
curl {server}/v1/organizations/agency/workspaces/client-a/integrations/$ID/proxy/v25/customers/1234567890/googleAds:search \\
  -H "x-api-key: $ADJOIN_API_KEY" -H 'content-type: application/json' \\
  -d '{"query":"SELECT campaign.name, metrics.cost_micros FROM campaign WHERE segments.date DURING YESTERDAY"}'
\`\`\`
\`\`\`cli
adjoin api $ID v25/customers/1234567890/googleAds:search --org agency --workspace client-a \\
  -d '{"query":"SELECT campaign.name, metrics.cost_micros FROM campaign WHERE segments.date DURING YESTERDAY"}'
\`\`\`
\`\`\`ts
import { createClient } from '@adjoin/contract/client'

const client = createClient({ url: '{server}', headers: { 'x-api-key': process.env.ADJOIN_API_KEY! } })
const googleAds = client.integration({ org: 'agency', workspace: 'client-a', id: process.env.ID! })
const answer = await googleAds.fetch('v25/customers/1234567890/googleAds:search', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ query: 'SELECT campaign.name, metrics.cost_micros FROM campaign WHERE segments.date DURING YESTERDAY' }),
})
console.log(await answer.json())
\`\`\`
\`\`\`py
import os
import requests

answer = requests.post(
    "{server}/v1/organizations/agency/workspaces/client-a/integrations/" + os.environ["ID"]
    + "/proxy/v25/customers/1234567890/googleAds:search",
    headers={"x-api-key": os.environ["ADJOIN_API_KEY"]},
    json={"query": "SELECT campaign.name, metrics.cost_micros FROM campaign WHERE segments.date DURING YESTERDAY"},
)
answer.raise_for_status()
print(answer.json())
\`\`\`

The answer is Google’s own, byte for byte:

\`\`\`json
{
  "results": [
    {
      "campaign": { "resourceName": "customers/1234567890/campaigns/111", "id": "111", "name": "Spring sale" },
      "metrics": { "costMicros": "48250000" }
    }
  ]
}
\`\`\`

## Where to go from here

- [Authentication](/docs/guides/authentication): keys, sessions and roles.
- [The gateway](/docs/guides/gateway): what programs can do through an integration.
- [Connect links and requests](/docs/guides/connect): how clients connect.
- [Webhooks](/docs/guides/webhooks): know when a client connects, or a connection breaks.
- [API reference](/docs/reference): every operation, with a form to try it.
`,
}
