// What we write to people.
import { aRole, type MustAct, type OrganizationRole } from '@adjoin/contract'
import { compose, type Mail, type MailSentence, say } from './compose.ts'

export type { Mail } from './compose.ts'

/**
 * Without a code where none would work. `provider`:
 * the mail confirms the address of an account there, which does not vouch for it.
 */
export const signInMail = (
  link: string,
  code: string | null,
  { organization, provider }: { organization?: string | undefined; provider?: 'google' | 'microsoft' | undefined },
): Mail =>
  compose(organization ? say`Finish signing up ${organization} for Adjoin` : say`Your Adjoin sign-in link`, [
    organization
      ? say`You asked to sign up ${organization} for Adjoin. Open the link to see what will be created. Nothing happens until you confirm.`
      : provider
        ? say`You asked to sign in to Adjoin with a ${PROVIDER_NAMES[provider]} account that uses this email address. Confirm that the address is yours.`
        : say`You asked to sign in to Adjoin.`,
    { link, label: organization ? 'Finish signing up' : 'Sign in to Adjoin' },
    ...(code === null
      ? [
          say`The link works once and expires in 10 minutes. If you didn't ask for it, ignore this email: nobody can sign in without the link.`,
        ]
      : [
          say`Or enter this code on the page where you started:`,
          { code },
          say`Both work once and expire in 10 minutes. If you didn't ask for this, ignore this email: nobody can sign in without the link or the code.`,
        ]),
  ])

/** To all admins, the one who did it included: whoever did not expect it should hear of it now. */
export const frozenMail = ({
  organization,
  by,
  reason,
  link,
}: {
  organization: string
  by: { name: string; email: string }
  reason: string
  link: string
}): Mail =>
  compose(say`${organization} is frozen`, [
    say`${by.name} stopped everything that Adjoin sends to ad systems for ${organization}: calls, checks and renewals. Connect links don't work until it is unfrozen.`,
    { proved: by.email },
    say`The reason given:`,
    { detail: reason },
    say`People and API keys can still read. Connections that must be renewed may expire while the organization is frozen.`,
    { link, label: 'Review and unfreeze' },
  ])

export const thawedMail = ({
  organization,
  by,
  link,
}: {
  organization: string
  by: { name: string; email: string } | null
  link: string
}): Mail =>
  compose(say`${organization} is no longer frozen`, [
    say`${by?.name ?? 'The operator of this service'} unfroze ${organization}. Calls, checks and renewals work again, and so do connect links.`,
    ...(by ? [{ proved: by.email }] : []),
    { link, label: 'Open the settings' },
  ])

/** To all admins, after a day in which nothing arrived. */
export const webhookFailingMail = ({ organization, webhook, detail, link }: WebhookMail & { detail: string }): Mail =>
  compose(say`A webhook of ${organization} has been failing for a day`, [
    say`Your server has not accepted any event from the webhook ${webhook} for 24 hours. We keep trying, and no event is lost. After 5 days the webhook is disabled.`,
    { detail },
    { link, label: 'Open the webhooks' },
  ])

export const webhookDisabledMail = ({ organization, webhook, why, link }: WebhookMail & { why: string }): Mail =>
  compose(say`A webhook of ${organization} was disabled`, [
    say`The webhook ${webhook} was disabled. Its events are kept: when an admin enables it, it continues where it stopped.`,
    { detail: why },
    { link, label: 'Open the webhooks' },
  ])

interface WebhookMail {
  readonly organization: string
  readonly webhook: string
  readonly link: string
}

/** At most one a day: codes are closed for as long. */
export const codesClosedMail = (): Mail =>
  compose(say`Too many wrong sign-in codes for your Adjoin account`, [
    say`Many wrong sign-in codes were entered for this email address today. Someone may be trying to guess them. Nobody signed in this way.`,
    say`To protect your account, we won't accept codes for the next 24 hours. You can still sign in: request an email as usual and open the link in it.`,
    say`You don't need to do anything else.`,
  ])

const PROVIDER_NAMES = { google: 'Google', microsoft: 'Microsoft' }

/** The same request from an address that belongs to nobody: the mail says so, the API does not. */
export const unknownAddressMail = (signUpUrl: string): Mail =>
  compose(say`There is no Adjoin account for this email address`, [
    say`You asked to sign in to Adjoin, but there is no account for this email address.`,
    say`If your company already uses Adjoin, ask a colleague to invite you. To create a new organization, sign up:`,
    { link: signUpUrl, label: 'Sign up' },
    say`If you didn't try to sign in, ignore this email.`,
  ])

export const invitationMail = (inviter: string, place: string, role: OrganizationRole, link: string): Mail =>
  compose(say`${inviter} invited you to ${place} on Adjoin`, [
    say`${inviter} invited you to join ${place} as ${aRole(role)}. Adjoin connects advertising systems to the teams that work with them.`,
    { link, label: 'View invitation' },
    say`The link expires in 48 hours. Sign in with this email address to accept. If you don't know the sender, ignore this email.`,
  ])

/** Addresses only: a name is whatever its owner wrote. */
export const joinsMail = ({ organization, domain, emails, link }: Joins): Mail =>
  compose(
    emails.length === 1
      ? say`Someone joined ${organization} on Adjoin`
      : say`${String(emails.length)} people joined ${organization} on Adjoin`,
    [
      emails.length === 1 ? say`A new member joined ${organization}:` : say`New members joined ${organization}:`,
      { proved: named(emails) },
      { proved: `Anyone who verifies an @${domain} email can join.` },
      { link, label: 'View members' },
      say`If you don't know someone, remove them there. To let people in by invitation only, turn off automatic joining in Settings.`,
    ],
  )

interface Joins {
  readonly organization: string
  readonly domain: string
  readonly emails: readonly string[]
  readonly link: string
}

const MOST_NAMED = 50
const named = (emails: readonly string[]) =>
  emails.length > MOST_NAMED ? `${emails.slice(0, MOST_NAMED).join(', ')} and ${emails.length - MOST_NAMED} more` : emails.join(', ')

export const autoJoinOffMail = ({ organization, domain, link }: Omit<Joins, 'emails'>): Mail =>
  compose(say`${organization}: automatic joining is off`, [
    { proved: `Anyone can get an email address at ${domain}.` },
    say`That's why people with such an address no longer join ${organization} automatically. Nobody was removed.`,
    { link, label: 'View members' },
    say`Check that you know everyone on the list. From now on, people need an invitation to join.`,
  ])

interface IntegrationMail {
  readonly name: string
  readonly system: string
  readonly workspace: string
  readonly link: string
}

export const integrationConnectedMail = ({ name, system, workspace, link, account }: IntegrationMail & { account: string }): Mail =>
  compose(say`${name}: ${system} is connected`, [
    say`Your client connected ${system} for “${name}” in ${workspace}. The account is ${account}.`,
    { link, label: 'Open integration' },
    say`If you didn't expect this account, disable the integration and ask your client about it.`,
  ])

/** Behind an expired link. `system`: null for a request, which asks for several. */
export const linkAskedForMail = (asked: { what: string; system: string | null; workspace: string; link: string }): Mail =>
  compose(say`${asked.what}: your client asked for a new link`, [
    asked.system
      ? say`The connect link for ${asked.system} (“${asked.what}”) in ${asked.workspace} has expired, and your client asked for a new one.`
      : say`The link of your request “${asked.what}” in ${asked.workspace} has expired, and your client asked for a new one.`,
    { link: asked.link, label: asked.system ? 'Open integration' : 'Open request' },
    say`Create a new link there, then send it to your client. If you don't expect anybody to connect, you don't need to do anything.`,
  ])

/** What is to be done now, by whom. */
const NEXT: Record<MustAct, MailSentence> = {
  client: say`Your client needs to fix this. If they have to connect again, open the integration and send them its connect link, or create a new one.`,
  agency: say`You can fix this: open the integration and correct it under Settings.`,
  operator: say`Only the people who run your Adjoin installation can fix this. Forward this email to them.`,
  nobody: say`We'll keep retrying. You don't need to do anything.`,
}

/** `connected`: there was a connection, which we go on checking; else nothing was stored. */
type IntegrationErrorMail = IntegrationMail & { detail: string; mustAct: MustAct | null; connected: boolean }

export const integrationErrorMail = ({ name, system, workspace, link, detail, mustAct, connected }: IntegrationErrorMail): Mail =>
  compose(say`${name}: ${system} needs attention`, [
    connected
      ? say`The ${system} integration “${name}” in ${workspace} has stopped working.`
      : say`${system} could not be connected for “${name}” in ${workspace}.`,
    { detail },
    ...(mustAct ? [NEXT[mustAct]] : []),
    { link, label: 'Open integration' },
    connected
      ? say`We won't email you about this again. We'll keep checking, and the integration recovers automatically once the cause is fixed.`
      : say`We'll email you when your client has connected it, but not about further failed attempts.`,
  ])

interface Notice {
  readonly kind: 'connected' | 'failed'
  readonly name: string
  readonly system: string
  readonly workspace: string
}

const MOST_NOTICES = 50

/** The mail of the day, for those who chose one. */
export function digestMail({ organization, notices, link }: { organization: string; notices: readonly Notice[]; link: string }): Mail {
  const failed = notices.filter(({ kind }) => kind === 'failed').length
  const connected = notices.length - failed
  const integrations = (count: number) => (count === 1 ? '1 integration' : `${count} integrations`)
  const subject = failed
    ? say`${organization}: ${integrations(failed)} stopped working`
    : say`${organization}: ${integrations(connected)} connected`
  const rest = notices.length - MOST_NOTICES
  return compose(subject, [
    say`This is what happened to the integrations that you look after in ${organization}:`,
    ...notices
      .slice(0, MOST_NOTICES)
      .map(({ kind, name, system, workspace }) =>
        kind === 'failed' ? say`${name} (${system}, ${workspace}) stopped working.` : say`${name} (${system}, ${workspace}) was connected.`,
      ),
    ...(rest > 0 ? [say`And ${String(rest)} more.`] : []),
    { link, label: 'Open overview' },
    say`You get this email once a day. To get one for each event, or none, open your profile in Adjoin.`,
  ])
}
