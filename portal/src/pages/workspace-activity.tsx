import { useParams } from '@tanstack/react-router'
import { may } from '../may.ts'
import { useOrganization } from '../shell/organization-frame.tsx'
import { Activity, NoActivity } from './activity.tsx'

export function WorkspaceActivity() {
  const { orgSlug, workspaceSlug } = useParams({ from: '/signed-in/organizations/$orgSlug/workspaces/$workspaceSlug' })
  const { role } = useOrganization()
  if (!may('listAuditLogs', { organization: role })) return <NoActivity />
  return (
    <Activity
      orgSlug={orgSlug}
      title="Activity"
      note="Who did what in this workspace, from the audit trail."
      of={{ workspace: workspaceSlug }}
      here
      empty="When someone changes something in this workspace, you’ll see it here."
      trail={{ workspace: workspaceSlug }}
    />
  )
}
