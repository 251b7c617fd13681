import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type CatalogueProvider, type IntegrationParams, read } from '../api.ts'
import type { HealthyIntegration } from '../integration-words.ts'
import type { OwnRoles } from '../may.ts'
import { useOrganization } from '../shell/organization-frame.tsx'
import { useWorkspace } from '../shell/workspace-frame.tsx'

const INTEGRATION = '/signed-in/organizations/$orgSlug/workspaces/$workspaceSlug/integrations/$id'

/** What every tab of an integration needs. */
export type IntegrationProps = {
  place: IntegrationParams
  integration: HealthyIntegration
  provider: CatalogueProvider | undefined
  standing: OwnRoles
}

export function useIntegration(): IntegrationProps {
  const place = useParams({ from: INTEGRATION })
  const { role } = useOrganization()
  const workspace = useWorkspace()
  // A client may be connecting at this moment: it shows here without a reload.
  const { data: integration } = useSuspenseQuery({ ...read('getIntegration', place), refetchInterval: 15_000 })
  const { data } = useSuspenseQuery(read('listProviders'))
  const provider = data.providers.find((each) => each.provider === integration.provider)
  return { place, integration, provider, standing: { organization: role, workspace: workspace.role } }
}
