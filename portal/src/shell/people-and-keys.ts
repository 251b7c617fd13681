import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { read } from '../api.ts'
import { may } from '../may.ts'
import { fits } from '../search-words.ts'
import type { MenuCommand } from './menu-command.ts'

const FOUND = 8

/** The members and keys of the organization that fit what was typed; nothing before that, there may be hundreds. */
export function usePeopleAndKeys(typed: string): MenuCommand[] {
  const { orgSlug = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const role = useQuery(read('listOrganizations')).data?.organizations.find(({ slug }) => slug === orgSlug)?.role
  const asked = role !== undefined && typed !== ''
  const standing = { organization: role ?? 'guest' }
  const members = useQuery({
    ...read('listOrganizationMembers', { orgSlug }),
    enabled: asked && may('listOrganizationMembers', standing),
  }).data
  const keys = useQuery({ ...read('listApiKeys', { orgSlug }), enabled: asked && may('listApiKeys', standing) }).data
  if (!asked) return []
  const people = (members?.members ?? [])
    .filter(({ name, email }) => fits(`${name} ${email} member`, typed))
    .slice(0, FOUND)
    .map(
      ({ userId, name, email }): MenuCommand => ({
        id: userId,
        name: name || email,
        group: name ? email : 'Member',
        icon: 'person',
        run: () => void navigate({ to: '/organizations/$orgSlug/members/$userId', params: { orgSlug, userId } }),
      }),
    )
  const found = (keys?.apiKeys ?? [])
    .filter(({ name, prefix, status }) => status !== 'revoked' && fits(`${name} ${prefix} key`, typed))
    .slice(0, FOUND)
    .map(
      ({ id, name }): MenuCommand => ({
        id,
        name,
        group: 'API key',
        icon: 'key',
        run: () => void navigate({ to: '/organizations/$orgSlug/api-keys/$id', params: { orgSlug, id } }),
      }),
    )
  return [...people, ...found]
}
