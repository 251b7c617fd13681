import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { read } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Card } from '../design/card.tsx'
import { Empty } from '../design/empty.tsx'
import { Loaded } from '../design/loaded.tsx'
import { Counts } from './workspace-marks.tsx'

const SHOWN = 6

/** Where to begin, as long as there is no integration to watch. */
export function FirstWorkspaces({ orgSlug, mayCreate }: { orgSlug: string; mayCreate: boolean }) {
  const query = useQuery(read('listWorkspaces', { orgSlug }))
  const count = query.data?.workspaces.length ?? 0
  const all = (
    <Button asChild size="small">
      <Link to="/organizations/$orgSlug/workspaces" params={{ orgSlug }}>
        {count > SHOWN ? `Show all ${count}` : 'All workspaces'}
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
