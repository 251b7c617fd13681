import type { Guide } from './guide.ts'

export const authentication: Guide = {
  slug: 'authentication',
  title: 'Authentication',
  lead: 'People sign in and get a session. Programs use API keys.',
  text: `
Send exactly one credential. If there are several, a key takes precedence over a bearer token, and a bearer token over the cookie. A
credential that can’t be used is refused with 401; Adjoin never falls back to the next one.

| Credential | Sent as | For |
|---|---|---|
| API key | \`x-api-key: adj_…\` | programs |
| Session token | \`authorization: Bearer …\` | the command line, scripts of a person |
| Session cookie | set by signing in | the portal |

## Send an API key

\`\`\`curl
curl {server}/v1/organizations/agency/workspaces -H "x-api-key: $ADJOIN_API_KEY"
\`\`\`
\`\`\`cli
export ADJOIN_API_KEY=adj_…    # or: adjoin login --with-key < key.txt
adjoin workspaces list
\`\`\`
\`\`\`ts
import { createClient } from '@adjoin/contract/client'

const client = createClient({ url: '{server}', headers: { 'x-api-key': process.env.ADJOIN_API_KEY! } })
console.log(await client.listWorkspaces({ orgSlug: 'agency' }))
\`\`\`
\`\`\`py
import os
import requests

answer = requests.get(
    "{server}/v1/organizations/agency/workspaces",
    headers={"x-api-key": os.environ["ADJOIN_API_KEY"]},
)
print(answer.json())
\`\`\`

Keys are secrets: keep them on your servers, never in a browser or a repository. A key is shown once, when it is created. Adjoin stores
only a hash of it.

## Levels of keys

| Level | What it can do | When its creator leaves |
|---|---|---|
| \`user\` | What its owner can do; it has no role of its own. | It stops working. |
| \`organization\` | Its role, in the organization and all workspaces. | It keeps working, but can no longer invite people. |
| \`workspace\` | Its role, in one workspace, and never more than its creator. | It stops working. |

A key never has a higher role than the person who creates it. Some operations are for people only, such as creating integrations and
changing what programs may do: each page of the [reference](/docs/reference) says who may call it.
[Show the key I am using](/docs/reference/getCurrentApiKey) tells what a key can do.

## Roles

| Role | In an organization | In a workspace |
|---|---|---|
| \`guest\` | Sees only the workspaces that were assigned. | – |
| \`viewer\` | Sees members, workspaces and integrations. | Sees it; programs can read through its integrations. |
| \`member\` | The same, and works in all workspaces. | Creates and changes integrations; programs can make changes where the call policy is \`full\`. |
| \`admin\` | Everything. | Everything in it. |

A role in the organization is inherited by all its workspaces. What a caller can’t see does not exist for them: 404
[\`not_found\`](/docs/errors/not_found). What they see but may not do is 403 [\`role_too_low\`](/docs/errors/role_too_low).

## Rotate a key

[Rotating](/docs/reference/rotateApiKey) creates a replacement with the same name, level and role. With \`graceHours\` (up to 168) both keys
work during that time, so you can roll out the new one. Until it stops, every response to the old key has two headers:

\`\`\`http
Deprecation: @1763280000
Sunset: Mon, 16 Nov 2026 08:00:00 GMT
\`\`\`

A key can rotate itself, so a program can renew its own key. Without \`graceHours\`, the old key stops at once.

\`\`\`curl
curl -X POST {server}/v1/organizations/agency/api-keys/$KEY_ID/rotate \\
  -H "x-api-key: $ADJOIN_API_KEY" -H 'content-type: application/json' -d '{"graceHours":24}'
\`\`\`
\`\`\`cli
adjoin keys rotate $KEY_ID --grace-hours 24
\`\`\`
\`\`\`ts
const { key } = await client.rotateApiKey({ orgSlug: 'agency', id: keyId }, { graceHours: 24 })
\`\`\`
\`\`\`py
answer = requests.post(
    f"{server}/v1/organizations/agency/api-keys/{key_id}/rotate",
    headers={"x-api-key": os.environ["ADJOIN_API_KEY"]},
    json={"graceHours": 24},
)
key = answer.json()["key"]
\`\`\`

## Sessions

People sign in with a link or a 6-digit code from an email, or with Google or Microsoft where the operator has set that up. A session ends
after 7 days without use, and after 30 days in any case. On your [account page](/account) you see every session, and can end each.

The cookie works for changes only from the portal’s own origin; from anywhere else they are refused with
[\`origin_refused\`](/docs/errors/origin_refused). Scripts use the token instead. \`adjoin login\` gets one: it shows a code, and you approve it in
the browser.
`,
}
