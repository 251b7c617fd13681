import { auditEvents } from '@adjoin/contract/audit-events'
import { spoken } from './format.ts'

/** Kinds that belong together, as a webhook can ask for them at once: `integration.*`. */
export type EventGroup = { type: string; label: string; kinds: { type: string; label: string }[] }

const labels: Record<string, string> = {
  user: 'People’s sign-ins and names',
  organization: 'Organization',
  member: 'Members',
  invitation: 'Invitations',
  workspace: 'Workspaces',
  workspace_member: 'Workspace roles',
  api_key: 'API keys',
  integration: 'Integrations',
  connect_link: 'Connect links',
  webhook: 'Webhooks',
  audit: 'Audit trail',
}
/** What most programs wait for comes first. */
const FIRST = ['integration', 'connect_link', 'workspace']

const groupOf = (kind: string) => kind.split('.')[0]!
const all = (group: string) => `${group}.*`

/** What an entry remembers beside what happened is for its reader, not for whoever chooses. */
const labelOf = (meaning: string) => meaning.split(/[;:]/)[0]!

const byGroup = Object.groupBy(Object.entries(auditEvents), ([kind]) => groupOf(kind))

export const eventGroups: EventGroup[] = Object.keys(byGroup)
  .toSorted((one, other) => rank(one) - rank(other))
  .map((group) => ({
    type: all(group),
    label: labels[group] ?? spoken(group),
    kinds: byGroup[group]!.map(([type, meaning]) => ({ type, label: labelOf(meaning) })),
  }))

function rank(group: string): number {
  const place = FIRST.indexOf(group)
  return place < 0 ? FIRST.length : place
}

export const isChosen = (types: readonly string[], type: string): boolean => types.includes(type) || types.includes(all(groupOf(type)))

export const countChosen = (types: readonly string[], { kinds }: EventGroup): number =>
  kinds.filter(({ type }) => isChosen(types, type)).length

/** A whole group is kept as one, so that kinds which it gets later are sent as well. */
export function toggleGroup(types: readonly string[], group: EventGroup): string[] {
  const others = types.filter((type) => groupOf(type) !== groupOf(group.type))
  return countChosen(types, group) === group.kinds.length ? others : [...others, group.type]
}

export function toggleKind(types: readonly string[], group: EventGroup, kind: string): string[] {
  const others = types.filter((type) => groupOf(type) !== groupOf(group.type))
  const chosen = group.kinds.map(({ type }) => type).filter((type) => isChosen(types, type) !== (type === kind))
  return [...others, ...(chosen.length === group.kinds.length ? [group.type] : chosen)]
}

/** `All events`, `Integrations, 2 of connect links` */
export function typesInWords(types: readonly string[]): string {
  if (!types.length) return 'All events'
  return eventGroups
    .flatMap((group) => {
      const count = countChosen(types, group)
      if (!count) return []
      return [count === group.kinds.length ? group.label : `${group.label} (${count} of ${group.kinds.length})`]
    })
    .join(', ')
}
