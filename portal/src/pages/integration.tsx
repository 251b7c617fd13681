import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type IntegrationParams, read } from '../api.ts'
import { checkDays } from '../check-days.ts'
import { Card } from '../design/card.tsx'
import { Loaded } from '../design/loaded.tsx'
import { may } from '../may.ts'
import { CheckStrip } from './check-strip.tsx'
import { ConnectLink } from './connect-link.tsx'
import { IntegrationFacts } from './integration-facts.tsx'
import { IntegrationState } from './integration-state.tsx'
import { useIntegration } from './use-integration.ts'

/** How it is, the one step that helps, whose account it is and who looks after it. */
export function IntegrationOverview() {
  const props = useIntegration()
  const { place, integration, standing } = props
  // Until the client has connected, the link is what this page is for.
  const works = integration.status === 'active'
  return (
    <>
      <IntegrationState {...props} />
      {!works && <ConnectLink {...props} />}
      {integration.statusCheckedAt && may('listIntegrationChecks', standing) && <Last90Days place={place} />}
      {works ? (
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1.7fr)_minmax(0,1fr)]">
          <IntegrationFacts {...props} />
          <ConnectLink {...props} />
        </div>
      ) : (
        <IntegrationFacts {...props} />
      )}
    </>
  )
}

function Last90Days({ place }: { place: IntegrationParams }) {
  const query = useQuery(read('listIntegrationChecks', place))
  return (
    <Card
      title="Last 90 days"
      action={
        <Link to="/organizations/$orgSlug/workspaces/$workspaceSlug/integrations/$id/checks" params={place} className="link text-small">
          All checks
        </Link>
      }
    >
      <Loaded query={query}>{({ checks }) => <CheckStrip days={checkDays(checks)} />}</Loaded>
    </Card>
  )
}
