import type { Output } from '@adjoin/contract/operations'
import { actors, integrationOrders, integrationStatuses, providerIds } from '@adjoin/contract/providers'
import { client } from './api.ts'

export type FoundIntegration = Output<'listOrganizationIntegrations'>['integrations'][number]
export type OverviewQuery = Omit<Parameters<typeof client.listOrganizationIntegrations>[0], 'orgSlug'>

/** What the overview can be narrowed by, as its address has it. */
const choices = {
  status: integrationStatuses,
  provider: providerIds,
  mustAct: actors,
  expiringWithin: ['14', '30', '90'],
  sort: integrationOrders.filter((order) => order !== 'need'),
} as const

export type OverviewFilters = {
  [Name in keyof typeof choices]?: (typeof choices)[Name][number] | undefined
} & { q?: string | undefined; workspace?: string | undefined }

const LONGEST_SEARCH = 100

/** Whatever an address says that the service would refuse is left out. */
export function overviewFilters(search: Record<string, unknown>): OverviewFilters {
  const known = Object.entries(choices).filter(([name, values]) => (values as readonly unknown[]).includes(search[name]))
  const filters: Record<string, unknown> = Object.fromEntries(known.map(([name]) => [name, search[name]]))
  if (typeof search.q === 'string' && search.q.trim()) filters.q = search.q.slice(0, LONGEST_SEARCH)
  if (typeof search.workspace === 'string' && /^[a-z0-9-]{1,63}$/.test(search.workspace)) filters.workspace = search.workspace
  return filters
}

/** The order hides nothing, so it is no filter. */
export const isNarrowed = ({ sort: _, ...filters }: OverviewFilters): boolean => Object.values(filters).some(Boolean)

const PAGE = 100

/** Page by page; the totals come with the first. */
export const overviewPages = (orgSlug: string, filters: OverviewFilters) => ({
  queryKey: ['listOrganizationIntegrations', { orgSlug, ...filters }, 'pages'],
  queryFn: ({ pageParam }: { pageParam: string }) =>
    client.listOrganizationIntegrations({
      orgSlug,
      ...filters,
      q: filters.q?.trim(),
      limit: PAGE,
      ...(pageParam ? { cursor: pageParam } : { counts: 'true' }),
    }),
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }: { nextCursor: string | null }) => nextCursor ?? undefined,
})

type Waiting = Pick<FoundIntegration, 'status' | 'mustAct' | 'connectLink' | 'connectedAt' | 'connectRequestId'>

/** The one step that resolves what an integration waits for. */
export function stepOf({ status, mustAct, connectLink, connectedAt, connectRequestId }: Waiting): 'copy' | 'request' | 'issue' | 'open' {
  if (mustAct === 'operator' || mustAct === 'nobody') return 'open'
  if (mustAct === 'agency' && (status !== 'pending' || connectedAt)) return 'open'
  if (connectLink && !connectLink.expired) return 'copy'
  return connectRequestId ? 'request' : 'issue'
}

/** What died with one login is one problem, which one link solves; everything else is one of its own. */
export const problemsOf = (found: FoundIntegration[]): FoundIntegration[][] => [
  ...Map.groupBy(found, ({ id, mustAct, sharedLogin }) => (mustAct === 'client' && sharedLogin) || id).values(),
]

/** Whose link solves it: one that the client may have already, else one that the caller can make. */
export const leadOf = (problem: FoundIntegration[], mayChange: (workspaceSlug: string) => boolean): FoundIntegration =>
  problem.find((one) => stepOf(one) === 'copy') ??
  problem.find((one) => stepOf(one) === 'request') ??
  problem.find(({ workspace }) => mayChange(workspace.slug)) ??
  problem[0]!
