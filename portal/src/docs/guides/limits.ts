import type { Guide } from './guide.ts'

export const limits: Guide = {
  slug: 'limits',
  title: 'Limits',
  lead: 'How often you can call, how much at once, and how many of everything.',
  text: `
## Rate limits

Most reads and changes have no rate limit. What sends emails, calls ad systems or could be used for guessing has one. It is shown on the
operation’s page in the [reference](/docs/reference), and in the headers of every response that counts:

\`\`\`http
RateLimit-Policy: "proxy-integration-60";q=1200;w=60, "proxy-organization-60";q=6000;w=60
RateLimit: "proxy-integration-60";r=1199;t=60
\`\`\`

\`q\` is the limit and \`w\` its window in seconds. \`r\` is what is left of the tightest limit, and \`t\` the seconds until it starts again. Over a limit
the answer is 429 [\`limit_exceeded\`](/docs/errors/limit_exceeded), with the seconds to wait in \`Retry-After\`.

Calls through the gateway have these limits; changes are counted once more, separately:

| | Calls a minute | Changes a minute |
|---|---|---|
| one integration | 1,200 | 120 |
| one organization | 6,000 | 600 |

The ad systems’ own limits come on top. When one asks for a pause, its calls are answered with 429
[\`vendor_throttled\`](/docs/errors/vendor_throttled) until it is over. Some count the calls of a day, and an organization can use half of them:
[\`quota_share\`](/docs/errors/quota_share). The page of each [ad system](/docs/providers) has the figures.

## At once

| Requests in progress | At most |
|---|---|
| of one caller | 16 |
| of one organization, or from one address | 64 |
| waiting for events, one caller | 4 |
| waiting for events, one organization | 20 |

More than that wait for a moment; then the answer is 503 [\`too_much_at_once\`](/docs/errors/too_much_at_once), or 429
[\`too_many_waits\`](/docs/errors/too_many_waits) for waiting requests. Send fewer at the same time, and retry.

## Quotas

| In one organization | At most |
|---|---|
| workspaces | 500 |
| members | 5,000 |
| integrations | 1,000 |
| active API keys | 200, of one person 20 |
| pending invitations | 200, of one person 50 |
| open connect requests | 200 |
| webhooks | 20 |

Over a quota the answer is 409 [\`quota_reached\`](/docs/errors/quota_reached). The last tenth of members, keys, invitations and integrations is
reserved for admins, so that nobody can lock them out. A person has at most 50 sessions.

## Sizes

| | At most |
|---|---|
| body of a request | 64 KiB |
| body of a call to an ad system | 1 MiB |
| headers | 16 KiB |

> The operator can multiply the rate limits. The headers always say what applies to you.
`,
}
