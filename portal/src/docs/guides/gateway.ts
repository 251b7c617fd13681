import type { Guide } from './guide.ts'

export const gateway: Guide = {
  slug: 'gateway',
  title: 'The gateway',
  lead: 'Call an ad system’s own API through Adjoin, without its credentials.',
  text: `
Everything after \`/proxy/\` is the path as the ad system’s documentation writes it. Query and body are sent byte for byte. Adjoin adds the credentials, keeps them
fresh, refuses what the caller may not do, and lets no secret out.

\`\`\`curl
curl {server}/v1/organizations/agency/workspaces/client-a/integrations/$ID/proxy/v25/customers:listAccessibleCustomers \\
  -H "x-api-key: $ADJOIN_API_KEY"
\`\`\`
\`\`\`cli
adjoin api $ID v25/customers:listAccessibleCustomers --org agency --workspace client-a
\`\`\`
\`\`\`ts
const googleAds = client.integration({ org: 'agency', workspace: 'client-a', id: process.env.ID! })
const answer = await googleAds.fetch('v25/customers:listAccessibleCustomers')
\`\`\`
\`\`\`py
answer = requests.get(
    "{server}/v1/organizations/agency/workspaces/client-a/integrations/" + os.environ["ID"]
    + "/proxy/v25/customers:listAccessibleCustomers",
    headers={"x-api-key": os.environ["ADJOIN_API_KEY"]},
)
\`\`\`

A system with several hosts takes the host as the first segment, such as \`reporting.api.bingads.microsoft.com/Reporting/v13/…\`, and every system may: a copied URL works
after \`https://\`. SDKs of the ad systems can use the client’s \`fetch\` as it is. The page of each [ad system](/docs/providers) lists its hosts, the headers you may set and first calls to try.

## Who answered

Read the header \`Adjoin-Answer\` before the status. It names the ad system, or \`adjoin\` where Adjoin itself refused. A 401 of the ad system is never passed on: Adjoin renews
the access and repeats the call; if that doesn’t help, the answer is 502 [\`vendor_refused_credential\`](/docs/errors/vendor_refused_credential), and the integration is checked at once.

## What programs may do

Each integration has a call policy. New ones have \`read\`. Only workspace admins change it, and only signed in.

| Role of the caller | \`off\` | \`read\` | \`full\` |
|---|---|---|---|
| viewer | nothing | reads | reads |
| member, admin | nothing | reads | reads and changes |

Whether a call reads or changes is decided by tables for each ad system, not by its method: a Google Ads search is a POST and reads. What is not known to read counts as a
change. A change that may not be made is 403 [\`change_refused\`](/docs/errors/change_refused).

Closed to everyone, whatever the policy: paths that issue, show or delegate access, paths that set up a lasting delivery elsewhere, batch calls, method overrides, and
every path that is not on the system’s list: 403 [\`path_refused\`](/docs/errors/path_refused).

## Limit calls to certain accounts

One login often reaches many accounts. With \`accounts\` in the [call policy](/docs/reference/setIntegrationCallPolicy), every account that a call names must be one of them. Anything
else is 403 [\`account_outside\`](/docs/errors/account_outside) and never reaches the ad system.

\`\`\`cli
adjoin integrations policy $ID --mode read --accounts 1234567890 --accounts 2345678901 \\
  --org agency --workspace client-a
\`\`\`

## What is remembered

A change is in the audit trail before it is sent: who, when, method, path, account, and a SHA-256 of the body, never the body itself. [Calls](/docs/reference/listIntegrationCalls) lists changes and
failed calls for 90 days, and [usage](/docs/reference/getIntegrationUsage) counts everything.

## When access ends

A call ends within a second when its caller may no longer make it: a key is revoked or expires, a person is removed, the integration is disabled, calls are turned off, or the limit to accounts
gets narrower. If its answer has begun, the connection is closed before the answer is complete. A change that was cut has left already: look at the ad system before you repeat it.

## Stop everything

[Freezing the organization](/docs/reference/freezeOrganization) stops every call to every ad system, on all replicas, from its answer on. Any admin can unfreeze it.

## Try it offline

In development, stand-ins answer the first calls of each ad system. Add \`?sandbox=echo\` to see which credentials would be sent (as asterisks), \`?sandbox=pages\` for three pages,
\`?sandbox=large\` for 50 MB, or \`?sandbox=slow\` for an answer that takes ten seconds.
`,
}
