import type { Output } from '@adjoin/contract/operations'
import { Link, Navigate } from '@tanstack/react-router'
import { Badge } from '../design/badge.tsx'
import { Button } from '../design/button.tsx'
import { Empty } from '../design/empty.tsx'
import { Icon } from '../design/icons.tsx'
import { LonePage } from '../shell/shell.tsx'
import { MyInvitations, useMyInvitations } from './my-invitations.tsx'

type ListedOrganization = Output<'listOrganizations'>['organizations'][number]

export function Organizations({ organizations }: { organizations: ListedOrganization[] }) {
  const invited = useMyInvitations()
  const [only, another] = organizations
  if (invited.isPending) return null
  if (only && !another && !invited.data?.invitations.length)
    return <Navigate to="/organizations/$orgSlug" params={{ orgSlug: only.slug }} replace />
  return (
    <LonePage title="My organizations">
      <MyInvitations />
      <div className="card overflow-clip">
        {only ? (
          <ul className="divide-y divide-line">
            {organizations.map(({ slug, name, role, domain }) => (
              <li key={slug}>
                <Link
                  to="/organizations/$orgSlug"
                  params={{ orgSlug: slug }}
                  className="flex items-center gap-4 px-5 py-3.5 hover:bg-sunken"
                >
                  <span className="grid min-w-0 flex-1">
                    <span className="truncate font-medium">{name}</span>
                    <span className="truncate text-faint text-small">{domain ?? slug}</span>
                  </span>
                  <Badge>{role}</Badge>
                  <Icon name="next" className="text-faint" />
                </Link>
              </li>
            ))}
          </ul>
        ) : (
          <Empty
            icon="people"
            title="You’re not in an organization yet"
            action={
              <Button asChild look="primary">
                <Link to="/signup">Create an organization</Link>
              </Button>
            }
          >
            Create one for your agency, or ask a colleague to invite you. The invitation will appear here.
          </Empty>
        )}
      </div>
    </LonePage>
  )
}
