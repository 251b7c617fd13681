/** THE KINDS of audit entries, and what each remembers. Secrets never enter an entry. */
// biome-ignore format: a table
export const auditEvents = {
  'user.updated': 'A person changed their display name',
  'user.signed_in': 'A session was created: how, and from where',
  'user.signed_out': 'A person signed out of one or all of their sessions',
  'organization.created': 'A sign-up was completed; the person became admin',
  'organization.updated': 'The organization was renamed, or automatic joining was turned on or off',
  'organization.frozen': 'An admin stopped everything that is sent to ad systems, and why',
  'organization.thawed': 'An admin, or the operator of the service, unfroze the organization',
  'member.provisioned': 'A person joined because their email address is at the organization’s domain',
  'member.updated': 'A member’s organization role changed',
  'member.removed': 'A person was removed from the organization, or left',
  'invitation.created': 'An invitation was emailed',
  'invitation.resent': 'The same link was emailed again, with a later expiry',
  'invitation.canceled': 'An invitation was canceled',
  'invitation.accepted': 'The invited person joined',
  'invitation.declined': 'The invited person declined',
  'workspace.created': 'A workspace was created',
  'workspace.updated': 'A workspace was renamed',
  'workspace.deleted': 'A workspace was deleted, with everything in it',
  'workspace_member.assigned': 'A person was given a role in a workspace',
  'workspace_member.updated': 'A person’s assigned role in a workspace changed',
  'workspace_member.removed': 'A person was removed from a workspace, or left it',
  'api_key.created': 'A key was created',
  'api_key.updated': 'A key was renamed',
  'api_key.disabled': 'A key was disabled',
  'api_key.enabled': 'A key was enabled again',
  'api_key.revoked': 'A key was revoked permanently',
  'api_key.rotated': 'A replacement key was created and the old key retired',
  'api_key.expiring': 'A key expires in 14, 3 or 1 days',
  'integration.created': 'An integration was created, with its connect link',
  'integration.updated': 'An integration was renamed or reconfigured',
  'integration.deleted': 'An integration was deleted and its credential destroyed',
  'integration.connected': 'The ad system accepted the credentials of a client or member; they were sealed and stored',
  'integration.connect_failed': 'The ad system rejected the credentials of a client or member, or could not be reached',
  'integration.verified': 'Someone verified the integration',
  'integration.status_changed': 'A background check found that access was lost or restored',
  'integration.disabled': 'The integration was disabled; its checks and refreshes stopped',
  'integration.enabled': 'The integration was enabled; its checks and refreshes resumed',
  'integration.call_policy_changed': 'An admin changed what programs may do through the integration',
  'integration.accounts_changed': 'The connection reaches other accounts at the ad system than before: which appeared or disappeared',
  'integration.change_sent': 'A change was sent to the ad system: method, path, account, size and digest of its body, never the body',
  'connect_link.issued': 'A connect link was issued, replacing any active one',
  'connect_link.revoked': 'A connect link was revoked',
  'connect_link.started': 'A client submitted something through a connect link for the first time',
  'connect_link.expired': 'A connect link expired unused',
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
