import type { Guide } from './guide.ts'

export const pagination: Guide = {
  slug: 'pagination',
  title: 'Pagination',
  lead: 'Read long lists page by page, with a cursor.',
  text: `
Lists that can grow long take \`limit\` (1 to 200) and \`cursor\`, and answer with \`nextCursor\`. Send it as \`cursor\` to get the next page. On the last page
\`nextCursor\` is \`null\`.

\`\`\`curl
curl '{server}/v1/organizations/agency/integrations?limit=50' -H "x-api-key: $ADJOIN_API_KEY"
curl "{server}/v1/organizations/agency/integrations?limit=50&cursor=$NEXT_CURSOR" -H "x-api-key: $ADJOIN_API_KEY"
\`\`\`
\`\`\`cli
adjoin integrations search --limit 50 --org agency
adjoin integrations search --limit 50 --cursor "$NEXT_CURSOR" --org agency
\`\`\`
\`\`\`ts
let cursor: string | null | undefined
do {
  const page = await client.listOrganizationIntegrations({ orgSlug: 'agency', limit: 50, ...(cursor && { cursor }) })
  for (const { name, status } of page.integrations) console.log(name, status)
  cursor = page.nextCursor
} while (cursor)
\`\`\`
\`\`\`py
cursor = None
while True:
    page = requests.get(
        "{server}/v1/organizations/agency/integrations",
        headers={"x-api-key": os.environ["ADJOIN_API_KEY"]},
        params={"limit": 50, **({"cursor": cursor} if cursor else {})},
    ).json()
    for integration in page["integrations"]:
        print(integration["name"], integration["status"])
    cursor = page["nextCursor"]
    if not cursor:
        break
\`\`\`

- A cursor belongs to its list: keep the other parameters the same, or you get 400 [\`invalid_cursor\`](/docs/errors/invalid_cursor).
- Treat cursors as text without meaning. They don’t expire, and a page deep in a list is as fast as the first.
- What is added while you read does not shift the pages.

## Lists with pages

[Integrations of an organization](/docs/reference/listOrganizationIntegrations), [audit trail](/docs/reference/listAuditLogs), [checks](/docs/reference/listIntegrationChecks) and
[calls](/docs/reference/listIntegrationCalls) of an integration, [deliveries of a webhook](/docs/reference/listWebhookDeliveries). All other lists are bounded by a
[quota](/docs/guides/limits) and come as a whole.

## Events

The [feed of events](/docs/guides/webhooks) never ends, so it has \`after\` and \`next\` instead: \`next\` is always there, and \`next\` equals \`head\` when there is nothing left to read.

## Pages of ad systems

Each ad system pages in its own way. \`adjoin api … --paginate\` follows it, and so does \`pagesFrom\` of the TypeScript client:

\`\`\`ts
import { pagesFrom } from '@adjoin/contract/paging'

const { gateway } = await client.getProvider({ provider: 'tiktok_ads' })
const first = { path: 'open_api/v1.3/campaign/get/?advertiser_id=1234567890' }
for await (const { content } of pagesFrom(gateway!.paging, first, ({ path }) => tiktokAds.fetch(path))) console.log(content)
\`\`\`
`,
}
