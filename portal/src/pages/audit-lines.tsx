import type { AuditKind } from '@adjoin/contract/audit-events'
import type { Output } from '@adjoin/contract/operations'
import { Time } from '../design/time.tsx'

export type TrailEntry = Output<'listAuditLogs'>['auditLogs'][number]

/**
 * Where the words of the kind itself do not make a sentence.
 * Read after the actor and before what it was done to.
 */
// biome-ignore format: a table
const phrases: Partial<Record<AuditKind, string>> = {
  'user.updated': 'changed their display name',
  'user.signed_in': 'signed in',
  'user.signed_out': 'signed out',
  'organization.updated': 'renamed the organization',
  'organization.frozen': 'froze everything for',
  'organization.thawed': 'unfroze',
  'member.provisioned': 'joined automatically',
  'member.updated': 'changed the role of',
  'member.removed': 'removed',
  'invitation.created': 'invited',
  'invitation.resent': 'resent the invitation to',
  'invitation.canceled': 'canceled the invitation to',
  'invitation.accepted': 'accepted the invitation for',
  'invitation.declined': 'declined the invitation for',
  'workspace.updated': 'renamed the workspace',
  'workspace_member.assigned': 'gave a workspace role to',
  'workspace_member.updated': 'changed the workspace role of',
  'workspace_member.removed': 'removed the workspace role of',
  'api_key.updated': 'renamed the key',
  'integration.connected': 'connected',
  'integration.connect_failed': 'could not connect',
  'integration.verified': 'checked',
  'integration.status_changed': 'changed the status of',
  'integration.call_policy_changed': 'changed what programs may do through',
  'integration.accounts_changed': 'updated the list of accounts of',
  'integration.expiring': 'noticed the upcoming expiry of access through',
  'integration.access_ended': 'ended the agreed access through',
  'integration.change_sent': 'sent a change through',
  'connect_link.issued': 'created a connect link for',
  'connect_link.revoked': 'revoked the connect link for',
  'connect_link.started': 'used the connect link for',
  'connect_link.expired': 'closed the expired connect link for',
  'connect_link.asked_for': 'asked for a new link for',
  'connect_request.updated': 'changed the connect request',
  'connect_request.link_ended': 'ended the link of the connect request',
  'connect_request.sent': 'emailed the connect request',
  'connect_request.item_declined': 'declined an item of the connect request',
  'connect_request.item_passed_on': 'created a link for one item of the connect request',
  'connect_request.mails_stopped': 'stopped all emails to',
  'webhook.updated': 'changed the webhook',
  'webhook.secret_rotated': 'rotated the secret of the webhook',
  'webhook.tested': 'sent a test event to the webhook',
  'webhook.redelivered': 'resent an event to the webhook',
  'webhook.replayed': 'replayed events to the webhook',
  'audit.exported': 'exported the audit trail',
}
/** Done to oneself, some actions have another name. */
const ownPhrases: Partial<Record<AuditKind, string>> = {
  'member.removed': 'left the organization',
  'workspace_member.removed': 'left the workspace',
}

/** Some kinds cover changes that people tell apart. */
function changePhrase({ action, changes }: TrailEntry): string | undefined {
  const to = (name: string) => changes.find(({ field }) => field === name)?.to
  if (action === 'organization.updated' && typeof to('autoJoin') === 'boolean')
    return `turned automatic joining ${to('autoJoin') ? 'on' : 'off'} for`
  if (action === 'integration.status_changed' && to('status') === 'error') return 'found a problem with'
  if (action === 'integration.status_changed' && to('status') === 'active') return 'confirmed the recovery of'
  return undefined
}

/** `api_key.rotated` → `rotated the key` */
export function kindPhrase(action: AuditKind): string {
  const [noun = '', verb = ''] = action.replace('api_key', 'key').replaceAll('_', ' ').split('.')
  // Of keys and whatever else expires: nobody does that, so it is said who noticed.
  return phrases[action] || (verb === 'expiring' ? `noticed the upcoming expiry of the ${noun}` : `${verb} the ${noun}`)
}

const phraseOf = (entry: TrailEntry): string =>
  (entry.actor.id === entry.target.id && ownPhrases[entry.action]) || changePhrase(entry) || kindPhrase(entry.action)

export const actorName = ({ actor }: TrailEntry): string =>
  actor.type === 'client' ? 'Client' : actor.name || actor.email || actor.keyPrefix || (actor.type === 'system' ? 'Adjoin' : actor.type)

/** Actions of a person on themselves name nobody a second time. */
const namesTarget = ({ actor, target, action }: TrailEntry) => target.name && actor.id !== target.id && action !== 'audit.exported'

/** `here`: on a page of that workspace, which needs not be named. */
export const Sentence = ({ entry, here = false }: { entry: TrailEntry; here?: boolean }) => (
  <>
    <span className="font-medium">{actorName(entry)}</span> {phraseOf(entry)}
    {namesTarget(entry) && <span className="font-medium"> {entry.target.name}</span>}
    {!here && entry.workspace && entry.target.type !== 'workspace' && <span className="text-faint"> in {entry.workspace.name}</span>}
  </>
)

export const AuditLines = ({ entries }: { entries: TrailEntry[] }) => (
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
