// What people read about a flag where the contract's own words are missing, or speak to programs.

/** What stands for a value: `--email <email>`. Others are `<text>`, `<number>` and the like. */
// biome-ignore format: a table
const PLACEHOLDERS: Record<string, string> = {
  email: 'email', clientEmail: 'email', loginHint: 'email',
  name: 'name', organizationName: 'name', clientName: 'name',
  slug: 'slug', organizationSlug: 'slug', workspaceSlug: 'slug',
  url: 'address', returnUrl: 'address', callbackURL: 'address',
  from: 'time', to: 'time', accessUntil: 'date',
  days: 'days', expiresInDays: 'days', expiringWithin: 'days', graceHours: 'hours',
  ownerId: 'id', targetId: 'id', ids: 'id', integrationIds: 'id', actor: 'id or email',
  role: 'role', level: 'level', status: 'status', provider: 'provider', mode: 'mode', language: 'language',
  action: 'action', targetType: 'kind', types: 'type', outcome: 'outcome', format: 'format', by: 'unit', sort: 'order',
  category: 'category', mustAct: 'who', statusReason: 'reason', reason: 'text', organizationKeys: 'what',
  cursor: 'cursor', token: 'token', code: 'code', challenge: 'challenge', deviceCode: 'code', state: 'state', error: 'code', iss: 'issuer',
  expectedAccount: 'account', accounts: 'id', q: 'words',
}

export const placeholderOf = (name: string): string | undefined => PLACEHOLDERS[name]

/** By name, or for one operation alone. */
// biome-ignore format: a table
const MEANINGS: Record<string, string> = {
  name: 'what people call it',
  'signUp name': 'your name',
  'updateMe name': 'your name',
  organizationName: 'what people call the organization',
  email: 'email address',
  'verifySignIn email': 'the email address that the code was sent to',
  role: 'what they may do',
  'createApiKey role': 'what the key may do; a user key has the role of its owner',
  level: 'what the key belongs to: you, the organization, or one workspace',
  workspaceSlug: 'the workspace',
  'createApiKey workspaceSlug': 'the workspace, for a key of that level',
  'createWebhook workspaceSlug': 'only events of this workspace',
  'updateWebhook workspaceSlug': 'only events of this workspace',
  slug: 'part of its URLs: lowercase letters, digits and dashes. It can’t be changed later',
  mode: 'emails about problems: at once, once a day, or none',
  'setIntegrationCallPolicy mode': 'what programs may do: nothing, read, or also change',
  days: 'how many days back',
  reason: 'why; shown to everyone who is affected',
  description: 'what it is for',
  'replayWebhook from': 'send again everything that happened since this time, such as 2026-01-31T12:00:00Z',
  outcome: 'only those with this outcome',
  status: 'only those with this status',
  provider: 'only those of this ad system',
  'createIntegration provider': 'the ad system',
  category: 'only those of this kind: buying (dsp), selling (ssp), or walled gardens (wg)',
  mustAct: 'only those where this party must act',
  statusReason: 'only those with this reason, such as credential_refused',
  sort: 'what comes first',
  counts: 'also count by status, ad system and who must act',
  action: 'what to do with them',
  ids: 'an integration (adjoin integrations search)',
  integrationIds: 'an integration that has the same login',
  clientName: 'what the client is called in emails',
  clientEmail: 'the client’s email address',
  message: 'plain text without links, for the client',
  language: 'the language of the client',
  reminders: 'remind the client after 2 and 5 days, and a day before the link expires',
  returnUrl: 'where to send the client afterwards: an https address',
  state: 'from the address that the provider sent the browser to',
  code: 'from the address that the provider sent the browser to',
  'verifySignIn code': 'the 6-digit code from the email',
  error: 'from the address that the provider sent the browser to, if it refused',
  iss: 'from the address that the provider sent the browser to',
}

/** Instead of what the contract tells programs. */
// biome-ignore format: a table
const INSTEAD: Record<string, string> = {
  dryRun: 'show the effect without changing anything',
  callPolicy: 'what programs may do: mode=off, mode=read (the default) or mode=full',
  completeSignUp: '`false` signs in without creating the organization from the sign-up',
  url: 'where to send events: an https address; http only on localhost, in development',
  format: 'ndjson, which can be verified, or csv for a spreadsheet',
  by: 'a line for each hour or day',
  accounts: 'an account that calls may use; all others are refused',
}

export const meaningOf = (operation: string, name: string, declared: string | undefined): string | undefined =>
  MEANINGS[`${operation} ${name}`] ?? INSTEAD[name] ?? declared ?? MEANINGS[name]

/** What `null` means for a flag, where that is not simply "none". */
const NULL_MEANINGS: Record<string, string> = { accounts: 'all accounts', workspaceSlug: 'all workspaces' }

export const nullMeaningOf = (name: string): string => NULL_MEANINGS[name] ?? 'none'

/** Where the API's own name is taken by a flag of every command. */
export const RENAMED: Record<string, string> = { url: 'endpoint' }
