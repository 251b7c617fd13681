import type { Guide } from './guide.ts'

export const connect: Guide = {
  slug: 'connect',
  title: 'Connect links and requests',
  lead: 'How a client gives access: one link, no account, no password by email.',
  text: `
A client never needs an account. They open a link, see who asks for what, and authorize on the ad system’s consent screen or fill in a form. The credentials are verified with
the ad system, stored encrypted, and never shown again, to anyone.

## One integration, one link

[Creating an integration](/docs/reference/createIntegration) returns its \`connectUrl\`. Only people can create integrations, so this needs a session, not a key.

\`\`\`curl
curl -X POST {server}/v1/organizations/agency/workspaces/client-a/integrations \\
  -H "authorization: Bearer $ADJOIN_TOKEN" -H 'content-type: application/json' \\
  -d '{"provider":"google_ads","name":"Search","settings":{"customerId":"1234567890"}}'
\`\`\`
\`\`\`cli
adjoin connect google_ads --name "Search" --org agency --workspace client-a
\`\`\`
\`\`\`ts
const client = createClient({ url: '{server}', headers: { authorization: \`Bearer \${process.env.ADJOIN_TOKEN}\` } })
const { id, connectUrl } = await client.createIntegration(
  { orgSlug: 'agency', workspaceSlug: 'client-a' },
  { provider: 'google_ads', name: 'Search', settings: { customerId: '1234567890' } },
)
\`\`\`
\`\`\`py
answer = requests.post(
    "{server}/v1/organizations/agency/workspaces/client-a/integrations",
    headers={"authorization": "Bearer " + os.environ["ADJOIN_TOKEN"]},
    json={"provider": "google_ads", "name": "Search", "settings": {"customerId": "1234567890"}},
)
print(answer.json()["connectUrl"])
\`\`\`

- A link works until the client has connected, it expires, or you replace it. Opening it doesn’t use it up, so previews and mail scanners are harmless.
- If you leave out an account, the client chooses from a list after consenting.
- \`returnUrl\` brings the client back to your own page, with \`status\` and \`integrationId\` added.
- Behind an expired link, the client can ask for a new one, once a day.

## Several at once: a connect request

A [connect request](/docs/reference/createConnectRequest) bundles integrations behind one link. The client gets a checklist in their language, connects what is theirs, passes on what is not, and keeps a
receipt with a button to disconnect.

\`\`\`curl
curl -X POST {server}/v1/organizations/agency/workspaces/client-a/connect-requests \\
  -H "authorization: Bearer $ADJOIN_TOKEN" -H 'content-type: application/json' \\
  -d '{"title":"Your ad accounts","clientEmail":"client@brand.example","items":[{"provider":"google_ads"},{"provider":"meta_ads","optional":true}]}'
\`\`\`
\`\`\`cli
adjoin requests create google_ads --optional meta_ads --title "Your ad accounts" \\
  --client-email client@brand.example --send --org agency --workspace client-a
\`\`\`
\`\`\`ts
const { connectUrl } = await client.createConnectRequest(
  { orgSlug: 'agency', workspaceSlug: 'client-a' },
  { title: 'Your ad accounts', clientEmail: 'client@brand.example', items: [{ provider: 'google_ads' }, { provider: 'meta_ads', optional: true }] },
)
\`\`\`
\`\`\`py
answer = requests.post(
    "{server}/v1/organizations/agency/workspaces/client-a/connect-requests",
    headers={"authorization": "Bearer " + os.environ["ADJOIN_TOKEN"]},
    json={
        "title": "Your ad accounts",
        "clientEmail": "client@brand.example",
        "items": [{"provider": "google_ads"}, {"provider": "meta_ads", "optional": True}],
    },
)
\`\`\`

[Send it](/docs/reference/sendConnectRequest) by email, or share the link yourself. Emails and pages exist in nine languages. Reminders go out after 2 and 5 days and one day before the link
expires; \`reminders: false\` turns them off, and the client can stop all emails with one click.

An item is \`unfinished\` while the account, a setting or the verification is missing. The client is asked for it, and the link stays open for that step.

With \`returnUrl\`, a browser in which access was given is offered the way back to your page once, when everything is done.

## What happens afterwards

An integration is \`pending\`, \`active\`, \`error\` or \`disabled\`. Active ones are checked every 6 hours, or every 15 minutes during a temporary problem. When something needs
attention, \`statusReason\` says what, and \`mustAct\` who: \`client\`, \`agency\`, \`operator\` or \`nobody\`.

| You want to | Do this |
|---|---|
| know when the client has connected | A [webhook](/docs/guides/webhooks) for \`integration.connected\` |
| have them reconnect | [A new link](/docs/reference/issueConnectLink) |
| end access on an agreed day | \`accessUntil\` |
| end it now | [Disable](/docs/reference/disableIntegration) or [delete](/docs/reference/deleteIntegration) it |
`,
}
