import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { read } from '../api.ts'
import { Badge } from '../design/badge.tsx'
import { Button } from '../design/button.tsx'
import { Card, Facts } from '../design/card.tsx'
import { Empty } from '../design/empty.tsx'
import { Loaded } from '../design/loaded.tsx'
import { date } from '../format.ts'
import { may } from '../may.ts'
import { useOrganization } from '../shell/organization-frame.tsx'
import { Page } from '../shell/shell.tsx'
import { AuditLines } from './audit-lines.tsx'
import { Counts } from './workspace-marks.tsx'

export function OrganizationHome() {
  const { slug, name, role, domain, autoJoin, createdAt } = useOrganization()
  return (
    <Page title={name}>
      <Card title="Organization">
        <Facts
          facts={[
            [
              'Slug',
              <span key="slug" className="font-mono text-small">
                {slug}
              </span>,
            ],
            ['Domain', domain ? <Domain key="domain" domain={domain} autoJoin={autoJoin} /> : 'none'],
            ['Your role', <Badge key="role">{role}</Badge>],
            ['Created', date(createdAt)],
          ]}
        />
      </Card>
      <FirstWorkspaces orgSlug={slug} mayCreate={may('createWorkspace', { organization: role })} />
      {may('listAuditLogs', { organization: role }) && <Newest orgSlug={slug} />}
    </Page>
  )
}

const Domain = ({ domain, autoJoin }: { domain: string; autoJoin: boolean }) => (
  <>
    {domain} {autoJoin && <span className="text-faint">· anyone who verifies an @{domain} email joins as a member</span>}
  </>
)

const SHOWN = 6

function FirstWorkspaces({ orgSlug, mayCreate }: { orgSlug: string; mayCreate: boolean }) {
  const query = useQuery(read('listWorkspaces', { orgSlug }))
  const count = query.data?.workspaces.length ?? 0
  const all = (
    <Button asChild size="small">
      <Link to="/organizations/$orgSlug/workspaces" params={{ orgSlug }}>
        {count > SHOWN ? `Show all ${count}` : 'Manage'}
      </Link>
    </Button>
  )
  return (
    <Card title="Workspaces" flush action={count > 0 && all}>
      <Loaded query={query}>
        {({ workspaces }) =>
          workspaces.length ? (
            <ul className="divide-y divide-line">
              {workspaces.slice(0, SHOWN).map(({ slug, name, integrationCounts }) => (
                <li key={slug}>
                  <Link
                    to="/organizations/$orgSlug/workspaces/$workspaceSlug"
                    params={{ orgSlug, workspaceSlug: slug }}
                    className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 py-2.5 hover:bg-sunken/50"
                  >
                    <span className="wrap-anywhere font-medium">{name}</span>
                    <Counts counts={integrationCounts} none="no integrations" />
                  </Link>
                </li>
              ))}
            </ul>
          ) : (
            <Empty
              icon="layers"
              title="No workspaces yet"
              action={
                mayCreate && (
                  <Button asChild look="primary">
                    <Link to="/organizations/$orgSlug/workspaces" params={{ orgSlug }}>
                      Create a workspace
                    </Link>
                  </Button>
                )
              }
            >
              {mayCreate
                ? 'Each client gets a workspace with its own integrations, people and keys.'
                : 'You don’t have access to any workspace yet. Ask an admin of the organization.'}
            </Empty>
          )
        }
      </Loaded>
    </Card>
  )
}

function Newest({ orgSlug }: { orgSlug: string }) {
  const newest = useQuery(read('listAuditLogs', { orgSlug, limit: 8 }))
  return (
    <Card title="Latest changes" flush>
      <Loaded query={newest}>{({ auditLogs }) => <AuditLines entries={auditLogs} />}</Loaded>
    </Card>
  )
}
