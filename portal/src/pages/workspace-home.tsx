import { Card, Facts } from '../design/card.tsx'
import { date } from '../format.ts'
import { useWorkspace } from '../shell/workspace-frame.tsx'
import { Counts, RoleBadge } from './workspace-marks.tsx'

export function WorkspaceHome() {
  const workspace = useWorkspace()
  return (
    <Card title="Workspace">
      <Facts
        facts={[
          ['Integrations', <Counts key="counts" counts={workspace.integrationCounts} />],
          ['Your role', <RoleBadge key="role" {...workspace} />],
          ['Created', date(workspace.createdAt)],
        ]}
      />
    </Card>
  )
}
