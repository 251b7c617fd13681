import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { read } from '../api.ts'
import { Badge } from '../design/badge.tsx'
import { Notice } from '../design/notice.tsx'
import { ProviderMark } from '../design/provider-mark.tsx'
import { Time } from '../design/time.tsx'
import { type Integration, tones, turnOf } from '../integration-words.ts'
import { may } from '../may.ts'
import { Page } from '../shell/shell.tsx'
import { useWorkspace } from '../shell/workspace-frame.tsx'
import { ConnectLink } from './connect-link.tsx'
import { IntegrationAccounts } from './integration-accounts.tsx'
import { IntegrationActions } from './integration-actions.tsx'
import { IntegrationCalls } from './integration-calls.tsx'
import { IntegrationChecks } from './integration-checks.tsx'
import { IntegrationFacts } from './integration-facts.tsx'
import { IntegrationSettings } from './integration-settings.tsx'
import { IntegrationUsage } from './integration-usage.tsx'
import { IntegrationUse } from './integration-use.tsx'

export function IntegrationPage() {
  const place = useParams({ from: '/signed-in/organizations/$orgSlug/workspaces/$workspaceSlug/integrations/$id' })
  const workspace = useWorkspace()
  // A client may be connecting at this moment: whoever waits for that sees it without asking.
  const { data: integration } = useSuspenseQuery({ ...read('getIntegration', place), refetchInterval: 15_000 })
  const { data } = useSuspenseQuery(read('listProviders'))
  const provider = data.providers.find((each) => each.provider === integration.provider)
  const standing = { workspace: workspace.role }
  const props = { place, integration, provider, standing }
  // What works is there to be used; whoever wants to reconnect it finds that below.
  const works = integration.status === 'active'
  return (
    <Page
      title={integration.name}
      of={workspace.name}
      lead={
        <span className="flex flex-wrap items-center gap-x-2.5">
          <Link to="/organizations/$orgSlug/workspaces/$workspaceSlug" params={place} className="link">
            {workspace.name}
          </Link>
          <span className="inline-flex items-center gap-1.5">
            <ProviderMark {...integration} className="size-5" />
            {integration.providerName}
          </span>
          <Badge tone={tones[integration.status]}>{integration.status}</Badge>
        </span>
      }
      action={<IntegrationActions {...props} />}
    >
      <StatusNotice {...integration} />
      <IntegrationFacts place={place} integration={integration} standing={standing} />
      {!works && <ConnectLink {...props} />}
      <IntegrationUse {...props} />
      {integration.connectedAt && may('listIntegrationAccounts', standing) && <IntegrationAccounts {...props} />}
      {integration.connectedAt && may('getIntegrationUsage', standing) && <IntegrationUsage place={place} />}
      {may('listIntegrationCalls', standing) && <IntegrationCalls place={place} />}
      {works && <ConnectLink {...props} />}
      {may('listIntegrationChecks', standing) && <IntegrationChecks place={place} />}
      <IntegrationSettings {...props} />
    </Page>
  )
}

function StatusNotice(integration: Integration) {
  const { status, statusDetail, mustAct, lastError, lastErrorAt, connectedAt, providerName, authMethod } = integration
  const turn = turnOf(integration)
  if (status === 'disabled')
    return (
      <Notice
        title="Disabled"
        detail="We don’t check or renew this connection, and its connect link doesn’t work. Click Enable to use it again."
      />
    )
  return (
    <>
      {authMethod === null && (
        <Notice
          tone="warn"
          title={`${providerName} is no longer supported`}
          detail="You can keep or delete this integration, but not connect it."
        />
      )}
      {status === 'error' && <Notice tone="bad" title={turn ?? 'Not working'} detail={statusDetail} />}
      {lastError && (
        <Notice
          tone="warn"
          title={connectedAt ? 'The last check didn’t go through' : 'The last attempt to connect didn’t go through'}
          detail={
            <>
              {lastError} {lastErrorAt && <Time at={lastErrorAt} className="text-faint" />}
            </>
          }
        />
      )}
      {status === 'pending' && !lastError && (
        <Notice
          title={turn ?? 'Not connected yet'}
          detail={
            mustAct === 'client'
              ? 'Send your client the connect link below. This page updates automatically when they connect.'
              : 'Your client needs a connect link. Create one below and send it to them.'
          }
        />
      )}
    </>
  )
}
