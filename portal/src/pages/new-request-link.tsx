import { Link } from '@tanstack/react-router'
import type { WorkspaceParams } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icons.tsx'

export const NewRequestLink = ({ place }: { place: WorkspaceParams }) => (
  <Button asChild look="primary">
    <Link to="/organizations/$orgSlug/workspaces/$workspaceSlug/requests/new" params={place}>
      <Icon name="plus" /> New request
    </Link>
  </Button>
)
