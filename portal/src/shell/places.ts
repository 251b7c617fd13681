import type { OperationId } from '@adjoin/contract/paths'
import type { OrganizationRole } from '@adjoin/contract/roles'
import type { IconName } from '../design/icons.tsx'
import { may } from '../may.ts'

/** The pages of an organization, each with the read it cannot do without. */
const places = [
  { to: '/organizations/$orgSlug', name: 'Overview', icon: 'home', needs: 'getOrganization', exact: true },
  { to: '/organizations/$orgSlug/workspaces', name: 'Workspaces', icon: 'layers', needs: 'listWorkspaces' },
  { to: '/organizations/$orgSlug/members', name: 'Members', icon: 'people', needs: 'listOrganizationMembers' },
  { to: '/organizations/$orgSlug/api-keys', name: 'API keys', icon: 'key', needs: 'listApiKeys' },
  { to: '/organizations/$orgSlug/webhooks', name: 'Webhooks', icon: 'send', needs: 'listWebhooks' },
  { to: '/organizations/$orgSlug/audit', name: 'Audit trail', icon: 'list', needs: 'listAuditLogs' },
  { to: '/organizations/$orgSlug/settings', name: 'Settings', icon: 'settings', needs: 'getOrganization' },
] as const satisfies { to: string; name: string; icon: IconName; needs: OperationId; exact?: boolean }[]

export type NavigationPlace = { to: (typeof places)[number]['to']; name: string; icon: IconName; exact?: boolean }

export const placesOf = (role: OrganizationRole): NavigationPlace[] => places.filter(({ needs }) => may(needs, { organization: role }))
