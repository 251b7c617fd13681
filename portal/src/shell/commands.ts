import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { read } from '../api.ts'
import { may } from '../may.ts'
import { fits } from '../search-words.ts'
import { chooseTheme, themes } from '../theme.ts'
import { useSignOut } from './account-menu.tsx'
import type { MenuCommand } from './menu-command.ts'
import { usePeopleAndKeys } from './people-and-keys.ts'
import { placesOf } from './places.ts'

const FOUND = 8
const TYPING = 150

/** What it is once the typing pauses. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

/** Integrations of the whole organization as the service finds them; before anything is typed, those of the open workspace. */
function useIntegrationCommands(typed: string): MenuCommand[] {
  const { orgSlug = '', workspaceSlug = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const q = useSettled(typed)
  const searching = orgSlug !== '' && q !== '' && typed !== ''
  const found = useQuery({
    ...read('listOrganizationIntegrations', { orgSlug, q, limit: FOUND }),
    enabled: searching,
    placeholderData: keepPreviousData,
  })
  const near = useQuery({ ...read('listIntegrations', { orgSlug, workspaceSlug }), enabled: workspaceSlug !== '' && typed === '' })
  const goTo = (workspaceSlug: string, id: string) => () =>
    void navigate({ to: '/organizations/$orgSlug/workspaces/$workspaceSlug/integrations/$id', params: { orgSlug, workspaceSlug, id } })
  const command = { icon: 'next' as const }
  if (typed === '')
    return (near.data?.integrations ?? []).map(({ id, name, provider, category, providerName }) => ({
      ...command,
      ...{ id, name, mark: { provider, category }, group: providerName, run: goTo(workspaceSlug, id) },
    }))
  if (!searching) return []
  return (found.data?.integrations ?? []).map(({ id, name, provider, category, workspace }) => ({
    ...command,
    ...{ id, name, mark: { provider, category }, group: workspace.name, run: goTo(workspace.slug, id) },
  }))
}

/** Everything one can go to or do from anywhere that fits what was typed, nearest first. */
export function useCommands(typed: string): MenuCommand[] {
  const integrations = useIntegrationCommands(typed)
  const places = usePlaces().filter(({ name, group }) => fits(`${name} ${group}`, typed))
  return [...integrations, ...usePeopleAndKeys(typed), ...places]
}

function usePlaces(): MenuCommand[] {
  const { orgSlug = '', workspaceSlug = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const signOut = useSignOut()
  const organizations = useQuery(read('listOrganizations')).data?.organizations ?? []
  const workspaces = useQuery({ ...read('listWorkspaces', { orgSlug }), enabled: orgSlug !== '' }).data?.workspaces ?? []
  const inWorkspace = { orgSlug, workspaceSlug }
  const workspace = workspaces.find(({ slug }) => slug === workspaceSlug)
  const current = organizations.find(({ slug }) => slug === orgSlug)
  return [
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
    ...(workspace && may('createConnectRequest', { workspace: workspace.role })
      ? [
          {
            name: 'New request',
            icon: 'send' as const,
            group: workspace.name,
            run: () => void navigate({ to: '/organizations/$orgSlug/workspaces/$workspaceSlug/requests/new', params: inWorkspace }),
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
    { name: 'Documentation', group: 'Help', icon: 'info', run: () => void navigate({ to: '/docs' }) },
    { name: 'API reference', group: 'Help', icon: 'list', run: () => void navigate({ to: '/docs/reference' }) },
    ...themes.map((theme) => ({ name: `Appearance: ${theme}`, group: 'You', icon: 'theme' as const, run: () => chooseTheme(theme) })),
    { name: 'Sign out', group: 'You', icon: 'leave', run: () => signOut.mutate() },
  ]
}
