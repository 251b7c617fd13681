import { may } from '../may.ts'
import { Activity, NoActivity } from './activity.tsx'
import { useIntegration } from './use-integration.ts'

export function IntegrationActivity() {
  const { place, integration, standing } = useIntegration()
  if (!may('listAuditLogs', standing)) return <NoActivity />
  return (
    <Activity
      orgSlug={place.orgSlug}
      title="Activity"
      note="Who did what with this integration, from the audit trail."
      of={{ targetId: integration.id }}
      here
      empty="When someone changes, connects or checks this integration, you’ll see it here."
    />
  )
}
