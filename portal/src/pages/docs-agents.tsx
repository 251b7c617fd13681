import type { ReactNode } from 'react'

const TOOLS: [name: string, what: string][] = [
  ['find_integrations', 'Find connections by client, ad system, status, who must act, or expiry'],
  ['integration_health', 'See what is wrong with one, and who must do what'],
  ['list_accounts', 'List the ad accounts that it reaches'],
  ['describe_ad_api', 'Learn how to read an ad system: first calls, paths, units, limits'],
  ['read_ad_system', 'Call the ad system’s own API, for reading only'],
  ['search_audit_trail', 'See who did what (admins)'],
]

/** How an AI agent is connected: what the reference of operations can't say. */
export function DocsAgents() {
  const url = `${location.origin}/mcp`
  const config = { mcpServers: { adjoin: { type: 'http', url, headers: { 'x-api-key': 'YOUR_KEY' } } } }
  return (
    <section aria-labelledby="agents" className="grid scroll-mt-6 gap-3">
      <div>
        <h2 id="agents" className="scroll-mt-6 font-semibold text-large">
          Use Adjoin from an agent
        </h2>
        <p className="max-w-2xl text-soft">
          AI agents read the ad systems of all your clients through the MCP server at <Code>{url}</Code>. They can’t change anything there,
          whatever their key allows.
        </p>
      </div>
      <div className="card grid gap-4 p-5">
        <ol className="grid list-decimal gap-3 pl-5">
          <li>
            Under <b>API keys</b>, click <b>New key</b> and choose <b>For an agent</b>: it can read, and expires after 90 days.
          </li>
          <li className="grid gap-2">
            <span>Add the server to your client’s settings:</span>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
            <pre className="overflow-x-auto rounded-small bg-sunken p-3 font-mono text-small" tabIndex={0}>
              {JSON.stringify(config, null, 2)}
            </pre>
            <span className="text-soft">
              For clients that start programs, use <Code>adjoin mcp</Code>. <Code>adjoin mcp --print-config</Code> prints the settings.
            </span>
          </li>
          <li>Ask it what needs attention, or what your clients spent last week. To see what it asked, click its key under API keys.</li>
        </ol>
        <dl className="grid gap-x-6 gap-y-1.5 sm:grid-cols-[auto_1fr]">
          {TOOLS.map(([name, what]) => (
            <div key={name} className="contents">
              <dt>
                <Code>{name}</Code>
              </dt>
              <dd className="text-soft max-sm:mb-2">{what}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  )
}

const Code = ({ children }: { children: ReactNode }) => <code className="wrap-anywhere font-mono text-small">{children}</code>
