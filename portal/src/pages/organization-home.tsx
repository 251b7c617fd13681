import { useQuery } from '@tanstack/react-query'
import { read } from '../api.ts'
import { Badge } from '../design/badge.tsx'
import { Card, Facts } from '../design/card.tsx'
import { Loaded } from '../design/loaded.tsx'
import { date } from '../format.ts'
import { may } from '../may.ts'
import { useOrganization } from '../shell/organization-frame.tsx'
import { Page } from '../shell/shell.tsx'
import { AuditLines } from './audit-lines.tsx'

export function OrganizationHome() {
  const { slug, name, role, domain, createdAt } = useOrganization()
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
            ['Domain', domain ? <Domain key="domain" domain={domain} /> : 'none'],
            ['Your role', <Badge key="role">{role}</Badge>],
            ['Created', date(createdAt)],
          ]}
        />
      </Card>
      {may('listAuditLogs', { organization: role }) && <Newest orgSlug={slug} />}
    </Page>
  )
}

const Domain = ({ domain }: { domain: string }) => (
  <>
    {domain} <span className="text-faint">· whoever proves an address of it joins as member</span>
  </>
)

function Newest({ orgSlug }: { orgSlug: string }) {
  const newest = useQuery(read('listAuditLogs', { orgSlug, limit: 8 }))
  return (
    <Card title="Latest changes" flush>
      <Loaded query={newest}>{({ auditLogs }) => <AuditLines entries={auditLogs} />}</Loaded>
    </Card>
  )
}
