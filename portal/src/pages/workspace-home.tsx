import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { read, type WorkspaceParams } from '../api.ts'
import { Badge } from '../design/badge.tsx'
import { Button } from '../design/button.tsx'
import { Empty } from '../design/empty.tsx'
import { Icon } from '../design/icons.tsx'
import { ProviderMark } from '../design/provider-mark.tsx'
import { type Column, Table } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import { type Integration, matchesFilters, tones, turnOf } from '../integration-words.ts'
import { may } from '../may.ts'
import { useWorkspace } from '../shell/workspace-frame.tsx'
import { IntegrationFilters } from './integration-filters.tsx'

/** The integrations of a workspace: what there is, how it is, and whose turn it is. */
export function WorkspaceHome() {
  const place = useParams({ from: '/signed-in/organizations/$orgSlug/workspaces/$workspaceSlug' })
  const { role } = useWorkspace()
  const { data } = useSuspenseQuery(read('listIntegrations', place))
  const { status, provider, search } = useSearch({ strict: false })
  const filters = { status, provider, search }
  const navigate = useNavigate()
  const { integrations } = data
  const mayCreate = may('createIntegration', { workspace: role })
  if (integrations.length === 0) return <None mayCreate={mayCreate} place={place} />
  const shown = integrations.filter((integration) => matchesFilters(integration, filters))
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <IntegrationFilters
          integrations={integrations}
          filters={filters}
          onFilter={(next) => void navigate({ to: WORKSPACE, params: place, search: { ...filters, ...next }, replace: true })}
        />
        {mayCreate && <NewIntegration place={place} />}
      </div>
      <div className="card overflow-clip">
        {shown.length ? (
          <Table label="Integrations" columns={columnsIn(place)} rows={shown} id={({ id }) => id} />
        ) : (
          <Empty
            icon="search"
            title="No matching integrations"
            action={
              <Button asChild>
                <Link to={WORKSPACE} params={place} search={{}}>
                  Show all {integrations.length}
                </Link>
              </Button>
            }
          >
            Try another status, ad system or search.
          </Empty>
        )}
      </div>
      <p className="text-faint text-small" role="status">
        {shown.length === integrations.length ? '' : `${shown.length} of ${integrations.length} shown.`}
      </p>
    </div>
  )
}

const WORKSPACE = '/organizations/$orgSlug/workspaces/$workspaceSlug'
const columnsIn = (place: WorkspaceParams): Column<Integration>[] => [
  {
    name: 'Integration',
    lead: true,
    className: 'md:min-w-56',
    cell: ({ id, name, provider, providerName, category }) => (
      <Link to={`${WORKSPACE}/integrations/$id`} params={{ ...place, id }} className="group flex items-center gap-3">
        <ProviderMark provider={provider} category={category} className="size-7" />
        <span className="grid min-w-0">
          <span className="wrap-anywhere font-medium group-hover:underline">{name}</span>
          <span className="text-faint text-small">{providerName}</span>
        </span>
      </Link>
    ),
  },
  {
    name: 'Status',
    cell: (integration) => (
      <span className="grid max-w-80 justify-items-start gap-0.5">
        <span className="flex flex-wrap items-center gap-x-2">
          <Badge tone={tones[integration.status]}>{integration.status}</Badge>
          <span className="text-small text-soft">{turnOf(integration)}</span>
        </span>
        {integration.status !== 'disabled' && (integration.statusDetail || integration.lastError) && (
          <span className="line-clamp-2 text-faint text-small">{integration.statusDetail ?? integration.lastError}</span>
        )}
      </span>
    ),
  },
  {
    name: 'Account',
    cell: ({ connectedAccount }) =>
      connectedAccount ? <span className="wrap-anywhere">{connectedAccount}</span> : <span className="text-faint">none yet</span>,
  },
  {
    name: 'Last check',
    cell: ({ statusCheckedAt }) => (statusCheckedAt ? <Time at={statusCheckedAt} /> : <span className="text-faint">never</span>),
  },
]

const NewIntegration = ({ place }: { place: WorkspaceParams }) => (
  <Button asChild look="primary">
    <Link to={`${WORKSPACE}/integrations/new`} params={place}>
      <Icon name="plus" /> New integration
    </Link>
  </Button>
)

const None = ({ mayCreate, place }: { mayCreate: boolean; place: WorkspaceParams }) => (
  <div className="card">
    <Empty icon="layers" title="No integrations yet" action={mayCreate && <NewIntegration place={place} />}>
      {mayCreate
        ? 'Choose an ad system and send your client a connect link. They don’t need an account here.'
        : 'Members of this workspace can add integrations. Ask one of them, or ask an admin for a higher role.'}
    </Empty>
  </div>
)
