import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { read, type WorkspaceParams } from '../api.ts'
import { Empty } from '../design/empty.tsx'
import { Loaded } from '../design/loaded.tsx'
import { may } from '../may.ts'
import { useOrganization } from '../shell/organization-frame.tsx'
import { useWorkspace } from '../shell/workspace-frame.tsx'
import { NewIntegrationLink } from './new-integration-link.tsx'
import { OverviewAttention } from './overview-attention.tsx'
import { OverviewComingUp } from './overview-coming-up.tsx'
import { OverviewTable } from './overview-table.tsx'
import { WorkspaceHealth } from './workspace-health.tsx'

/** One client at one glance: what is broken, whose move it is, and what comes next. */
export function WorkspaceHome() {
  const place = useParams({ from: '/signed-in/organizations/$orgSlug/workspaces/$workspaceSlug' })
  const { orgSlug, workspaceSlug } = place
  const standing = { organization: useOrganization().role, workspace: useWorkspace().role }
  const query = useQuery(read('listOrganizationIntegrations', { orgSlug, workspace: workspaceSlug, counts: 'true', limit: 1 }))
  const mayChange = () => may('updateIntegration', standing)
  const mayCreate = may('createIntegration', standing)
  return (
    <Loaded query={query}>
      {({ counts }) =>
        counts?.total ? (
          <>
            <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)]">
              <div className="grid gap-5">
                <OverviewAttention {...place} counts={counts.byMustAct} mayChange={mayChange} mayChangeAny={mayChange()} />
                <OverviewComingUp {...place} withKeys={may('listApiKeys', standing)} />
              </div>
              {may('getWorkspaceHealth', standing) && <WorkspaceHealth place={place} />}
            </div>
            <OverviewTable {...place} all={counts} mayChange={mayChange} />
          </>
        ) : (
          <None mayCreate={mayCreate} place={place} />
        )
      }
    </Loaded>
  )
}

const None = ({ mayCreate, place }: { mayCreate: boolean; place: WorkspaceParams }) => (
  <div className="card">
    <Empty icon="layers" title="No integrations yet" action={mayCreate && <NewIntegrationLink place={place} />}>
      {mayCreate
        ? 'Choose an ad system and send your client a connect link. They don’t need an account here.'
        : 'Members of this workspace can add integrations. Ask one of them, or ask an admin for a higher role.'}
    </Empty>
  </div>
)
