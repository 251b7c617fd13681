/** THE KINDS of audit entries, and what each remembers. Secrets never enter an entry. */
// biome-ignore format: a table
export const auditEvents = {
  'user.updated': 'A person changed their display name',
  'user.signed_in': 'A session was created: how, and from where',
  'user.signed_out': 'A person ended one or all of their sessions',
  'organization.created': 'A sign-up was completed; the person became admin',
  'organization.updated': 'The organization was renamed, or automatic joining was switched on or off',
  'organization.frozen': 'Everything sent to ad systems was stopped, and why',
  'organization.thawed': 'What was stopped was taken up again',
  'member.provisioned': 'A person joined because their address is of the organization’s domain',
  'member.updated': 'A member’s organization role changed',
  'member.removed': 'A person was removed from the organization, or left',
  'invitation.created': 'An invitation was mailed',
  'invitation.resent': 'The same link was mailed again and lives longer',
  'invitation.canceled': 'An invitation was withdrawn',
  'invitation.accepted': 'The invited person joined',
  'invitation.declined': 'The invited person refused',
  'workspace.created': 'A workspace was created',
  'workspace.updated': 'A workspace was renamed',
  'workspace.deleted': 'A workspace was deleted, with everything in it',
  'workspace_member.assigned': 'A person was given a role in a workspace',
  'workspace_member.updated': 'A person’s assigned role in a workspace changed',
  'workspace_member.removed': 'An assignment was removed, or its holder left',
  'api_key.created': 'A key was minted',
  'api_key.updated': 'A key was renamed',
  'api_key.disabled': 'A key was disabled',
  'api_key.enabled': 'A key was enabled again',
  'api_key.revoked': 'A key was revoked for good',
  'api_key.rotated': 'A replacement was minted and the old key retired',
  'integration.created': 'An integration was created, with its connect link',
  'integration.updated': 'An integration was renamed or reconfigured',
  'integration.deleted': 'An integration was deleted and its credential destroyed',
  'integration.connected': 'The ad system accepted what a client or member gave; it was sealed and stored',
  'integration.connect_failed': 'The ad system refused what a client or member gave, or could not be reached',
  'integration.verified': 'Someone had the integration checked at once',
  'integration.status_changed': 'A check in the background found the access lost, or back',
  'integration.disabled': 'Checks and refreshes were stopped',
  'integration.enabled': 'Checks and refreshes were taken up again',
  'integration.call_policy_changed': 'What software may do through the integration was changed',
  'integration.change_sent': 'A change was sent to the ad system: method, path, size and digest of its body, never the body',
  'connect_link.issued': 'A connect link was issued; one that lived was replaced',
  'connect_link.revoked': 'A connect link was revoked',
  'audit.exported': 'Someone exported the audit trail',
} as const

export type AuditKind = keyof typeof auditEvents

/**
 * The kinds that take power from someone:
 * a change that was let in before one of them is let in again before it commits.
 */
export const takesPower: ReadonlySet<AuditKind> = new Set([
  'user.signed_out',
  'member.updated',
  'member.removed',
  'workspace.deleted',
  'workspace_member.updated',
  'workspace_member.removed',
  'api_key.disabled',
  'api_key.revoked',
  'api_key.rotated',
  'integration.call_policy_changed',
  'organization.frozen',
])
