import type { Guide } from './guide.ts'

export const agents: Guide = {
  slug: 'agents',
  title: 'AI agents',
  lead: 'Let an agent read the ad systems of all your clients. It can’t change anything there.',
  text: `
Adjoin is an MCP server, at \`{server}/mcp\`. Agents read; people change: whatever their key allows, agents can’t change anything at an ad system.

## Set it up

1. Under **API keys**, click **New key** and choose **For an agent**: it can read, and expires after 90 days. Give each agent its own.
2. Add the server to your client’s settings.
3. Ask what needs attention, or what your clients spent last week.

\`\`\`json
{
  "mcpServers": {
    "adjoin": { "type": "http", "url": "{server}/mcp", "headers": { "x-api-key": "YOUR_KEY" } }
  }
}
\`\`\`

For clients that start programs, use \`adjoin mcp\`. \`adjoin mcp --print-config\` prints the settings.

## The tools

| Tool | What it does |
|---|---|
| \`find_integrations\` | Find connections by client, ad system, status, who must act, or expiry |
| \`integration_health\` | See what is wrong with one, and who must do what |
| \`list_accounts\` | List the ad accounts that it reaches |
| \`describe_ad_api\` | Learn how to read an ad system: first calls, paths, units, limits |
| \`read_ad_system\` | Call the ad system’s own API, for reading only |
| \`search_audit_trail\` | See who did what (admins) |

To see what an agent asked, click its key under API keys. To stop it, disable or revoke the key.
`,
}
