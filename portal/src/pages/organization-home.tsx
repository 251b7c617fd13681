import { useQuery } from '@tanstack/react-query'
import { live, read } from '../api.ts'
import { Card } from '../design/card.tsx'
import { Loaded } from '../design/loaded.tsx'
import { plural } from '../format.ts'
import { may } from '../may.ts'
import { useOrganization } from '../shell/organization-frame.tsx'
import { Page } from '../shell/shell.tsx'
import { AuditLines } from './audit-lines.tsx'
import { FirstSteps } from './first-steps.tsx'
import { FirstWorkspaces } from './first-workspaces.tsx'
import { OrganizationFacts } from './organization-facts.tsx'
import { OverviewAttention } from './overview-attention.tsx'
import { OverviewComingUp } from './overview-coming-up.tsx'
import { OverviewHealth } from './overview-health.tsx'
import { OverviewTable } from './overview-table.tsx'

/** Everything that an agency looks after at one glance: what is broken, whose move it is, and what comes next. */
export function OrganizationHome() {
  const { slug: orgSlug, name, role } = useOrganization()
  const standing = { organization: role }
  // Day one is an admin's, who may take every step.
  const startsOut = may('createWorkspace', standing)
  const query = useQuery(live(read('listOrganizationIntegrations', { orgSlug, counts: 'true', limit: 1 })))
  const workspaces = useQuery(read('listWorkspaces', { orgSlug })).data?.workspaces ?? []
  const roles = new Map(workspaces.map(({ slug, role }) => [slug, role]))
  const mayChange = (workspaceSlug: string) => may('updateIntegration', { workspace: roles.get(workspaceSlug) })
  const first = <FirstWorkspaces orgSlug={orgSlug} mayCreate={startsOut} />
  return (
    <Page title={name} lead={query.data?.counts && summary(query.data.counts)}>
      <Loaded query={query}>
        {({ counts }) =>
          counts?.total ? (
            <>
              {startsOut && <FirstSteps orgSlug={orgSlug} counts={counts} workspaces={workspaces} />}
              <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)] 2xl:grid-cols-[minmax(0,1.6fr)_minmax(0,1.1fr)_minmax(0,1fr)]">
                <OverviewAttention
                  orgSlug={orgSlug}
                  counts={counts.byMustAct}
                  mayChange={mayChange}
                  mayChangeAny={workspaces.some(({ slug }) => mayChange(slug))}
                />
                <div className="grid gap-5 2xl:contents">
                  <OverviewComingUp orgSlug={orgSlug} withKeys={may('listApiKeys', standing)} />
                  {may('getOrganizationHealth', standing) && <OverviewHealth orgSlug={orgSlug} />}
                </div>
              </div>
              <OverviewTable orgSlug={orgSlug} all={counts} workspaces={workspaces} mayChange={mayChange} />
            </>
          ) : (
            <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)]">
              <div className="grid gap-5">
                {startsOut && counts && (
                  <FirstSteps orgSlug={orgSlug} counts={counts} workspaces={workspaces} otherwise={!workspaces.length && first} />
                )}
                {(workspaces.length > 0 || !startsOut) && first}
              </div>
              <OrganizationFacts />
            </div>
          )
        }
      </Loaded>
      {may('listAuditLogs', standing) && <Newest orgSlug={orgSlug} />}
    </Page>
  )
}

function summary({ total, byMustAct: { client, agency, operator } }: { total: number; byMustAct: Record<string, number> }) {
  const waiting = client! + agency! + operator!
  if (!total) return undefined
  return waiting
    ? `${waiting.toLocaleString()} of ${plural(total, 'integration')} ${waiting === 1 ? 'needs' : 'need'} attention.`
    : `${plural(total, 'integration')}. Nothing needs attention.`
}

function Newest({ orgSlug }: { orgSlug: string }) {
  const newest = useQuery(read('listAuditLogs', { orgSlug, limit: 8 }))
  return (
    <Card title="Latest changes" flush>
      <Loaded query={newest}>{({ auditLogs }) => <AuditLines entries={auditLogs} />}</Loaded>
    </Card>
  )
}
