import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { read } from '../api.ts'
import type { IconName } from '../design/icons.tsx'
import { may } from '../may.ts'
import { chooseTheme, themes } from '../theme.ts'
import { useSignOut } from './account-menu.tsx'
import { placesOf } from './places.ts'

export type MenuCommand = {
  name: string
  group: string
  icon: IconName
  run: () => void
  /** Where names may repeat. */
  id?: string
}

/** Everything one can go to or do from anywhere, nearest first. */
export function useCommands(open: boolean): MenuCommand[] {
  const { orgSlug = '', workspaceSlug = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const signOut = useSignOut()
  const organizations = useQuery({ ...read('listOrganizations'), enabled: open }).data?.organizations ?? []
  const workspaces = useQuery({ ...read('listWorkspaces', { orgSlug }), enabled: open && orgSlug !== '' }).data?.workspaces ?? []
  const inWorkspace = { orgSlug, workspaceSlug }
  const integrations =
    useQuery({ ...read('listIntegrations', inWorkspace), enabled: open && workspaceSlug !== '' }).data?.integrations ?? []
  const workspace = workspaces.find(({ slug }) => slug === workspaceSlug)
  const current = organizations.find(({ slug }) => slug === orgSlug)
  return [
    ...integrations.map(({ id, name, providerName }) => ({
      id,
      name,
      icon: 'next' as const,
      group: providerName,
      run: () =>
        void navigate({ to: '/organizations/$orgSlug/workspaces/$workspaceSlug/integrations/$id', params: { ...inWorkspace, id } }),
    })),
    ...(workspace && may('createIntegration', { workspace: workspace.role })
      ? [
          {
            name: 'New integration',
            icon: 'plus' as const,
            group: workspace.name,
            run: () => void navigate({ to: '/organizations/$orgSlug/workspaces/$workspaceSlug/integrations/new', params: inWorkspace }),
          },
        ]
      : []),
    ...(current
      ? placesOf(current.role).map(({ to, name, icon }) => ({
          name,
          icon,
          group: current.name,
          run: () => void navigate({ to, params: { orgSlug } }),
        }))
      : []),
    ...workspaces.map(({ slug, name }) => ({
      name,
      icon: 'layers' as const,
      group: 'Workspaces',
      run: () => void navigate({ to: '/organizations/$orgSlug/workspaces/$workspaceSlug', params: { orgSlug, workspaceSlug: slug } }),
    })),
    ...organizations.map(({ slug, name }) => ({
      name,
      icon: 'people' as const,
      group: 'Organizations',
      run: () => void navigate({ to: '/organizations/$orgSlug', params: { orgSlug: slug } }),
    })),
    { name: 'Account', group: 'You', icon: 'person', run: () => void navigate({ to: '/account' }) },
    { name: 'Sign in a device', group: 'You', icon: 'device', run: () => void navigate({ to: '/device' }) },
    { name: 'API reference', group: 'Help', icon: 'list', run: () => void navigate({ to: '/docs' }) },
    ...themes.map((theme) => ({ name: `Appearance: ${theme}`, group: 'You', icon: 'theme' as const, run: () => chooseTheme(theme) })),
    { name: 'Sign out', group: 'You', icon: 'leave', run: () => signOut.mutate() },
  ]
}

/** Every word of what was typed begins a word of the name or its group. */
export const matches = ({ name, group }: MenuCommand, typed: string): boolean => {
  const words = `${name} ${group}`.toLowerCase().split(/\W+/)
  return typed
    .toLowerCase()
    .split(/\W+/)
    .every((part) => words.some((word) => word.startsWith(part)))
}
