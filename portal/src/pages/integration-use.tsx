import { Link } from '@tanstack/react-router'
import { isCallable } from '../call-words.ts'
import { Card } from '../design/card.tsx'
import { may } from '../may.ts'
import { IntegrationCalls } from './integration-calls.tsx'
import { Policy } from './integration-policy.tsx'
import { IntegrationUsage } from './integration-usage.tsx'
import { TryCall } from './try-call.tsx'
import { type IntegrationProps, useIntegration } from './use-integration.ts'

/** How programs use the connection, how much they do, and what became of it. */
export function IntegrationUse() {
  const props = useIntegration()
  const { place, integration, standing } = props
  return (
    <>
      <HowTo {...props} />
      {integration.connectedAt && may('getIntegrationUsage', standing) && <IntegrationUsage place={place} />}
      {may('listIntegrationCalls', standing) && <IntegrationCalls place={place} />}
    </>
  )
}

function HowTo({ place, integration, provider, standing }: IntegrationProps) {
  if (!provider) return null
  const { mode } = integration.callPolicy
  return (
    <Card title="Use it" note={`Programs call the ${provider.providerName} API through Adjoin. They never see the credentials.`}>
      {isCallable(provider) ? (
        <div className="grid gap-5">
          <div className="grid gap-1.5">
            <Policy mode={mode} />
            {may('setIntegrationCallPolicy', standing) ? (
              <Link
                to="/organizations/$orgSlug/workspaces/$workspaceSlug/integrations/$id/settings"
                params={place}
                hash="policy"
                className="link w-fit text-small"
              >
                Change what programs may do
              </Link>
            ) : (
              <p className="text-faint text-small">Only admins of this workspace can change this.</p>
            )}
          </div>
          {mode !== 'off' && (
            <div className="border-line border-t pt-5">
              <TryCall place={place} integration={integration} provider={provider} standing={standing} />
            </div>
          )}
        </div>
      ) : (
        <p className="text-soft">Programs can’t call {provider.providerName} through Adjoin yet.</p>
      )}
    </Card>
  )
}
