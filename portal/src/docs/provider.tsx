import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Facts } from '../design/card.tsx'
import { ProviderMark } from '../design/provider-mark.tsx'
import { hrefOf, judged } from '../destination.ts'
import { type ProviderFacts, type ProviderField, providerFacts } from './data.ts'
import { Missing } from './missing.tsx'
import { DocsPage, DocsSection } from './page.tsx'
import { Marked } from './prose.tsx'
import { ProviderGateway } from './provider-gateway.tsx'
import { duration, kinds, lifetimesOf, ways } from './provider-words.ts'
import { useServer } from './use-document.ts'

/** One ad system: what it takes to connect it, and what one can do with it then. */
export function ProviderPage(): ReactNode {
  const { provider } = useParams({ from: '/docs/providers/$provider' })
  const facts = providerFacts.find((one) => one.provider === provider)
  return facts ? <Provider key={provider} facts={facts} /> : <Missing what="ad system" />
}

const code = (text: string) => `\`${text}\``

function Provider({ facts }: { facts: ProviderFacts }) {
  const {
    provider,
    providerName,
    category,
    authMethod,
    scopes,
    documentationUrl,
    version,
    connectFields,
    settingsFields,
    quirks,
    loginQuota,
  } = facts
  return (
    <div className="max-w-4xl">
      <DocsPage
        title={providerName}
        lead={`${ways[authMethod]}.`}
        above={<ProviderMark provider={provider} category={category} className="mb-1 size-10" />}
      >
        <Facts
          facts={[
            [
              'ID',
              <code key="id" className="font-mono text-small">
                {provider}
              </code>,
            ],
            ['Kind', kinds[category]],
            ...(version ? ([['API version', version]] as [string, string][]) : []),
            [
              'Documentation',
              <a key="docs" href={hrefOf(judged(documentationUrl))} rel="noreferrer" className="link wrap-anywhere">
                {new URL(documentationUrl).host}
              </a>,
            ],
            ...lifetimesOf(facts),
            ...(loginQuota
              ? ([['Logins', `At most ${loginQuota.logins} in ${spanOf(loginQuota.seconds)}; Adjoin keeps to it.`]] as [string, string][])
              : []),
          ]}
        />
        <DocsSection title="Get an app approved">
          <AppApproval facts={facts} />
        </DocsSection>
        <DocsSection title="What the client is asked for">
          {authMethod === 'oauth' && (
            <p className="max-w-2xl">
              Permissions on the consent screen:{' '}
              {scopes.length ? <Marked text={scopes.map(code).join(', ')} /> : 'those that are set on the app itself'}.
            </p>
          )}
          {connectFields.length > 0 ? (
            <FormFields fields={connectFields} label="Fields of the form" />
          ) : (
            <p className="text-soft">Nothing else: the consent is all.</p>
          )}
        </DocsSection>
        {settingsFields.length > 0 && (
          <DocsSection title="Settings">
            <p className="max-w-2xl text-soft">
              <Marked text="Sent as `settings` when you create the integration. An account can be left out: the client then chooses it." />
            </p>
            <FormFields fields={settingsFields} label="Settings" />
          </DocsSection>
        )}
        <DocsSection title="Good to know">
          <ul className="grid max-w-2xl list-disc gap-1.5 pl-5 marker:text-faint">
            {quirks.map((quirk) => (
              <li key={quirk}>
                <Marked text={quirk} />
              </li>
            ))}
          </ul>
        </DocsSection>
        <ProviderGateway facts={facts} />
      </DocsPage>
    </div>
  )
}

const spanOf = (seconds: number) => (seconds === 1 ? 'a second' : duration(seconds))

function AppApproval({ facts: { registration, review, appSettings, optionalAppSettings } }: { facts: ProviderFacts }) {
  const server = useServer()
  return (
    <div className="grid max-w-2xl gap-3">
      <p>
        <Marked text={registration} />
      </p>
      <p>
        <Marked text={review} />
      </p>
      {appSettings.length > 0 && (
        <p>
          Register the callback address <Marked text={code(`${server}/v1/connect/oauth/callback`)} />. Then the operator of this service
          sets <Marked text={appSettings.map(code).join(', ')} />
          {optionalAppSettings.length > 0 && (
            <>
              {' '}
              and, if needed, <Marked text={optionalAppSettings.map(code).join(', ')} />
            </>
          )}
          . In development, a local stand-in needs none of it.
        </p>
      )}
    </div>
  )
}

const FormFields = ({ fields, label }: { fields: ProviderField[]; label: string }) => (
  <dl aria-label={label} className="grid grid-cols-[minmax(0,1fr)] divide-y divide-line">
    {fields.map(({ name, label: title, required, secret, options, default: usual, help }) => (
      <div key={name} className="grid gap-1 py-2.5 first:pt-0">
        <dt className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium">{title}</span>
          <code className="font-mono text-faint text-small">{name}</code>
          {required && <span className="text-small text-warn">required</span>}
          {secret && <span className="text-faint text-small">secret</span>}
        </dt>
        <dd className="wrap-anywhere max-w-2xl text-soft">
          {[help, options && `One of ${options.join(', ')}.`, usual && `Default ${usual}.`].filter(Boolean).join(' ')}
        </dd>
      </div>
    ))}
  </dl>
)
