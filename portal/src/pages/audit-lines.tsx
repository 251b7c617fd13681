import type { AuditKind } from '@adjoin/contract/audit-events'
import type { Output } from '@adjoin/contract/operations'
import { Time } from '../design/time.tsx'

export type Entry = Output<'listAuditLogs'>['auditLogs'][number]

/** `api_key.rotated` → `rotated the key`: read after the actor and before what it was done to. */
// biome-ignore format: a table
const deeds: Record<AuditKind, string> = {
  'user.updated': 'changed their display name',
  'user.signed_in': 'signed in',
  'user.signed_out': 'signed out',
  'organization.created': 'created the organization',
  'organization.updated': 'renamed the organization',
  'member.provisioned': 'joined through the organization’s domain',
  'member.updated': 'changed the role of',
  'member.removed': 'removed',
  'invitation.created': 'invited',
  'invitation.resent': 'invited again',
  'invitation.canceled': 'withdrew the invitation of',
  'invitation.accepted': 'accepted the invitation of',
  'invitation.declined': 'declined the invitation of',
  'workspace.created': 'created the workspace',
  'workspace.updated': 'renamed the workspace',
  'workspace.deleted': 'deleted the workspace',
  'workspace_member.assigned': 'gave a workspace role to',
  'workspace_member.updated': 'changed the workspace role of',
  'workspace_member.removed': 'ended the workspace role of',
  'api_key.created': 'created the key',
  'api_key.updated': 'renamed the key',
  'api_key.disabled': 'disabled the key',
  'api_key.enabled': 'enabled the key',
  'api_key.revoked': 'revoked the key',
  'api_key.rotated': 'rotated the key',
  'integration.created': 'created the integration',
  'integration.updated': 'changed the integration',
  'integration.deleted': 'deleted the integration',
  'integration.connected': 'connected',
  'integration.connect_failed': 'failed to connect',
  'integration.verified': 'checked',
  'integration.status_changed': 'noticed a change of',
  'integration.disabled': 'disabled the integration',
  'integration.enabled': 'enabled the integration',
  'connect_link.issued': 'issued a connect link for',
  'connect_link.revoked': 'revoked the connect link of',
  'audit.exported': 'exported the audit trail',
}

export const actorName = ({ actor }: Entry): string =>
  actor.name || actor.email || actor.keyPrefix || (actor.type === 'system' ? 'Adjoin' : actor.type)

/** Deeds of a person about themselves name nobody a second time. */
const aboutSelf = ({ actor, target, action }: Entry) => actor.id === target.id || action === 'audit.exported'

export const Sentence = ({ entry }: { entry: Entry }) => (
  <>
    <span className="font-medium">{actorName(entry)}</span> {deeds[entry.action] ?? entry.action}
    {!aboutSelf(entry) && entry.target.name && <span className="font-medium"> {entry.target.name}</span>}
    {entry.workspace && entry.target.type !== 'workspace' && <span className="text-faint"> in {entry.workspace.name}</span>}
  </>
)

export const AuditLines = ({ entries }: { entries: Entry[] }) => (
  <ol className="divide-y divide-line">
    {entries.map((entry) => (
      <li key={entry.id} className="flex items-baseline justify-between gap-x-4 px-5 py-2.5 max-sm:flex-col">
        <span className="min-w-0 break-words">
          <Sentence entry={entry} />
        </span>
        <Time at={entry.createdAt} className="text-faint text-small" />
      </li>
    ))}
  </ol>
)
