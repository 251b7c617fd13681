import { Badge } from '../design/badge.tsx'
import { Card, Facts } from '../design/card.tsx'
import { date } from '../format.ts'
import { useOrganization } from '../shell/organization-frame.tsx'

/** What was chosen at sign-up, for those who have just done so. */
export function OrganizationFacts() {
  const { slug, role, domain, autoJoin, createdAt } = useOrganization()
  return (
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
  )
}

const Domain = ({ domain, autoJoin }: { domain: string; autoJoin: boolean }) => (
  <>
    {domain} {autoJoin && <span className="text-faint">· anyone who verifies an @{domain} email joins as a member</span>}
  </>
)
