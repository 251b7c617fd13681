import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { Popover } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { read } from '../api.ts'
import { Icon } from '../design/icons.tsx'
import { Menu, MenuLabel, MenuLine, MenuLink } from '../design/menu.tsx'
import { fits } from '../search-words.ts'
import { CommandList } from './command-list.tsx'

const trigger =
  'flex min-w-0 max-w-80 items-center gap-1.5 rounded-small px-2 py-1 font-medium hover:bg-sunken data-[state=open]:bg-sunken pointer-coarse:py-2'

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

/** More than these are searched, not scanned. */
const SCANNED = 8

export function WorkspaceSwitcher() {
  const { orgSlug = '', workspaceSlug } = useParams({ strict: false })
  const { data } = useQuery({ ...read('listWorkspaces', { orgSlug }), enabled: workspaceSlug !== undefined })
  if (!workspaceSlug) return null
  const button = (
    <button type="button" className={trigger}>
      <span className="truncate">{data?.workspaces.find(({ slug }) => slug === workspaceSlug)?.name ?? workspaceSlug}</span>
      <Icon name="chevron" className="text-faint" />
    </button>
  )
  if (data && data.workspaces.length > SCANNED)
    return (
      <>
        <Slash />
        <WorkspaceSearch orgSlug={orgSlug} workspaces={data.workspaces} button={button} />
      </>
    )
  return (
    <>
      <Slash />
      <Menu align="start" trigger={button}>
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

type WorkspaceSearchProps = { orgSlug: string; workspaces: { slug: string; name: string }[]; button: ReactNode }

function WorkspaceSearch({ orgSlug, workspaces, button }: WorkspaceSearchProps) {
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const navigate = useNavigate()
  const commands = workspaces
    .filter(({ slug, name }) => fits(`${name} ${slug}`, typed))
    .map(({ slug, name }) => ({
      id: slug,
      name,
      group: '',
      icon: 'layers' as const,
      run: () => void navigate({ to: '/organizations/$orgSlug/workspaces/$workspaceSlug', params: { orgSlug, workspaceSlug: slug } }),
    }))
  const change = (next: boolean) => {
    setOpen(next)
    setTyped('')
  }
  return (
    <Popover.Root open={open} onOpenChange={change}>
      <Popover.Trigger asChild>{button}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={6}
          collisionPadding={12}
          aria-label="Workspaces"
          className="card z-40 w-80 max-w-[calc(100vw-1.5rem)] overflow-clip shadow-floating"
        >
          <CommandList
            label="Search workspaces"
            placeholder="Search workspaces…"
            commands={commands}
            typed={typed}
            onType={setTyped}
            onDone={() => change(false)}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

export const Slash = () => (
  <span aria-hidden="true" className="text-edge text-large">
    /
  </span>
)
