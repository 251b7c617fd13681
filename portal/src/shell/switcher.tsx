import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { read } from '../api.ts'
import { Icon } from '../design/icons.tsx'
import { Menu, MenuLabel, MenuLine, MenuLink } from '../design/menu.tsx'

const trigger =
  'flex min-w-0 items-center gap-1.5 rounded-small px-2 py-1 font-medium hover:bg-sunken data-[state=open]:bg-sunken pointer-coarse:py-2'

/** Where one is, and the way to the others: organizations first, then the workspaces of the open one. */
export function OrganizationSwitcher() {
  const { orgSlug } = useParams({ strict: false })
  const { data } = useQuery(read('listOrganizations'))
  const current = data?.organizations.find(({ slug }) => slug === orgSlug)
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className={trigger}>
          <span className="truncate">{orgSlug ? (current?.name ?? orgSlug) : 'Organizations'}</span>
          <Icon name="chevron" className="text-faint" />
        </button>
      }
    >
      <MenuLabel>Organizations</MenuLabel>
      {data?.organizations.map(({ slug, name }) => (
        <MenuLink key={slug}>
          <Link to="/organizations/$orgSlug" params={{ orgSlug: slug }}>
            <span className="min-w-0 flex-1 truncate">{name}</span>
            {slug === orgSlug && <Icon name="check" className="text-accent" />}
          </Link>
        </MenuLink>
      ))}
      <MenuLine />
      <MenuLink>
        <Link to="/" search={{}}>
          All my organizations
        </Link>
      </MenuLink>
    </Menu>
  )
}

export function WorkspaceSwitcher() {
  const { orgSlug = '', workspaceSlug } = useParams({ strict: false })
  const { data } = useQuery({ ...read('listWorkspaces', { orgSlug }), enabled: workspaceSlug !== undefined })
  if (!workspaceSlug) return null
  return (
    <>
      <Slash />
      <Menu
        align="start"
        trigger={
          <button type="button" className={trigger}>
            <span className="truncate">{data?.workspaces.find(({ slug }) => slug === workspaceSlug)?.name ?? workspaceSlug}</span>
            <Icon name="chevron" className="text-faint" />
          </button>
        }
      >
        <MenuLabel>Workspaces</MenuLabel>
        {data?.workspaces.map(({ slug, name }) => (
          <MenuLink key={slug}>
            <Link to="/organizations/$orgSlug/workspaces/$workspaceSlug" params={{ orgSlug, workspaceSlug: slug }}>
              <span className="min-w-0 flex-1 truncate">{name}</span>
              {slug === workspaceSlug && <Icon name="check" className="text-accent" />}
            </Link>
          </MenuLink>
        ))}
      </Menu>
    </>
  )
}

export const Slash = () => (
  <span aria-hidden="true" className="text-edge text-large">
    /
  </span>
)
