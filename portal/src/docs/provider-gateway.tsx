import { Link } from '@tanstack/react-router'
import { cliTo, curlTo, typescriptTo } from '../call-words.ts'
import { Badge } from '../design/badge.tsx'
import { Facts } from '../design/card.tsx'
import { literal } from './code/python.ts'
import { CodeTabs } from './code-tabs.tsx'
import type { ProviderFacts } from './data.ts'
import { DocsSection } from './page.tsx'
import { Marked, TextLink } from './prose.tsx'
import { closed, pagingWords } from './provider-words.ts'
import { useServer } from './use-document.ts'

const place = { orgSlug: 'agency', workspaceSlug: 'client-a', id: 'INTEGRATION_ID' }
const code = (text: string) => `\`${text}\``

type Gateway = NonNullable<ProviderFacts['gateway']>
type FirstCall = Gateway['examples'][number]

/** What programs can call there, and what is closed. */
export function ProviderGateway({ facts: { gateway, dailyCalls, providerName } }: { facts: ProviderFacts }) {
  if (!gateway) return <p className="text-soft">Calls to {providerName} are not supported yet.</p>
  const { hosts, fence, headers, paging, examples, versions, paths, closed: classes } = gateway
  const shut = classes.flatMap((one) => closed[one] ?? [])
  return (
    <>
      <DocsSection title="Call it through Adjoin">
        <p className="max-w-2xl text-soft">
          How calls work is in <TextLink to="/docs/guides/gateway">the gateway</TextLink>.
        </p>
        <Facts
          facts={[
            ['Hosts', <Marked key="hosts" text={hosts.map(code).join(', ')} />],
            ...(versions.length ? ([['Versions', versions.join(', ')]] as [string, string][]) : []),
            ['Your headers', headers.length ? <Marked key="headers" text={headers.map(code).join(', ')} /> : 'The common ones only'],
            ['Next pages', paging.length ? `By ${paging.map(({ by }) => pagingWords[by] ?? by).join(', or ')}` : 'Its lists have no pages'],
            [
              'Accounts',
              fence ? (
                'Calls can be limited to chosen accounts'
              ) : (
                <>
                  Calls can’t be limited to accounts:{' '}
                  <Link to="/docs/errors/$code" params={{ code: 'fence_unavailable' }} className="link">
                    fence_unavailable
                  </Link>
                </>
              ),
            ],
            ['A day', dailyCalls ? dailyInWords(dailyCalls) : 'No daily limit is published'],
            ['Closed', capital(`${shut.join('; ')}; and every path that is not listed below.`)],
          ]}
        />
      </DocsSection>
      <DocsSection title="First calls">
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-5">
          {examples.map((example) => (
            <li key={example.title} className="grid grid-cols-[minmax(0,1fr)] gap-2">
              <h3 className="flex items-center gap-2 font-medium">
                {example.title}{' '}
                <Badge tone={example.effect === 'read' ? 'info' : 'warn'}>{example.effect === 'read' ? 'reads' : 'changes'}</Badge>
              </h3>
              <ExampleCall example={example} />
            </li>
          ))}
        </ul>
      </DocsSection>
      <DocsSection title="Open paths">
        <details>
          <summary className="w-max rounded-small text-accent">Show {paths.filter((path) => !path.startsWith('@')).length} paths</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
          <pre tabIndex={0} className="mt-3 max-h-96 overflow-auto rounded-base bg-sunken px-3.5 py-3 font-mono text-tiny">
            {paths
              .map((path) => (path.startsWith('@') ? `\n${path.slice(1)}` : path))
              .join('\n')
              .trim()}
          </pre>
        </details>
      </DocsSection>
    </>
  )
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const dailyInWords = ({ calls, zone, host }: NonNullable<ProviderFacts['dailyCalls']>): string =>
  `${calls.toLocaleString('en')} calls for all organizations together${host ? `, to ${host} only` : ''}; one can use half. The day begins at midnight in ${zone.split('/').at(-1)!.replace('_', ' ')}.`

function ExampleCall({ example }: { example: FirstCall }) {
  const server = useServer()
  const call = { ...example, body: example.body ?? undefined }
  return (
    <CodeTabs
      label={example.title}
      code={{
        curl: curlTo(place, server, call),
        CLI: cliTo(place, call),
        TypeScript: typescriptTo(place, server, call),
        Python: pythonTo(server, example),
      }}
    />
  )
}

const pythonTo = (server: string, { method, path, body }: FirstCall): string =>
  [
    'import os',
    'import requests',
    '',
    `answer = requests.${method.toLowerCase()}(`,
    `    ${JSON.stringify(`${server}/v1/organizations/agency/workspaces/client-a/integrations/INTEGRATION_ID/proxy/${path}`)},`,
    '    headers={"x-api-key": os.environ["ADJOIN_API_KEY"]},',
    ...(body ? [`    json=${literal(body, '    ')},`] : []),
    ')',
    'print(answer.status_code, answer.json())',
  ].join('\n')
