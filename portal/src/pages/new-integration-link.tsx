import { Link } from '@tanstack/react-router'
import type { WorkspaceParams } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icons.tsx'

export const NewIntegrationLink = ({ place }: { place: WorkspaceParams }) => (
  <Button asChild look="primary">
    <Link to="/organizations/$orgSlug/workspaces/$workspaceSlug/integrations/new" params={place}>
      <Icon name="plus" /> New integration
    </Link>
  </Button>
)
