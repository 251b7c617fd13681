// What we write to people: plain text first, the same as simple HTML. Nothing is fetched from anywhere when a mail is opened.
import type { MustAct } from '@adjoin/contract'

export interface Mail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

type Part = string | { readonly link: string; readonly label: string } | { readonly code: string }

/** `provider`: the mail confirms the address of an account there, which does not vouch for it. */
export const signInMail = (
  link: string,
  code: string,
  { organization, provider }: { organization?: string | undefined; provider?: 'google' | 'microsoft' | undefined },
): Mail =>
  compose(organization ? `Finish signing up ${organization} with Adjoin` : 'Your Adjoin sign-in link', [
    organization
      ? `Someone, most likely you, asked to sign up ${organization} with Adjoin. Opening the link shows what will be created before anything happens.`
      : provider
        ? `Someone, most likely you, asked to sign in to Adjoin with a ${PROVIDER_NAMES[provider]} account that shows this address. Confirm that it is yours.`
        : 'Someone, most likely you, asked to sign in to Adjoin.',
    { link, label: organization ? 'Finish signing up' : 'Sign in to Adjoin' },
    'Or enter this code where you were asked for it:',
    { code },
    'Both work once, for 10 minutes. If this was not you, ignore this mail: nothing happens without the link or the code.',
  ])

const PROVIDER_NAMES = { google: 'Google', microsoft: 'Microsoft' }

/** The same request from an address that belongs to nobody: the mail says so, the API does not. */
export const unknownAddressMail = (signUpUrl: string): Mail =>
  compose('There is no Adjoin account for this address', [
    'Someone, most likely you, asked to sign in to Adjoin with this address, but it has no account here.',
    'If your company already uses Adjoin, ask a colleague to invite you. To start with a new organization:',
    { link: signUpUrl, label: 'Sign up' },
    'If this was not you, ignore this mail.',
  ])

export const invitationMail = (inviter: string, place: string, role: string, link: string): Mail =>
  compose(`${inviter} invites you to ${place} on Adjoin`, [
    `${inviter} invites you to join ${place} as ${role}. Adjoin connects advertising systems to the teams that work with them.`,
    { link, label: 'See the invitation' },
    'The link is valid for 48 hours and needs a sign-in with this address. If you do not know the sender, ignore this mail.',
  ])

interface Connected {
  readonly name: string
  readonly system: string
  readonly workspace: string
  readonly link: string
}

export const integrationConnectedMail = ({ name, system, workspace, link, account }: Connected & { account: string }): Mail =>
  compose(`${name}: ${system} is connected`, [
    `Your client has connected ${system} for “${name}” in ${workspace}. The account is ${account}.`,
    { link, label: 'Open the integration' },
    'If you did not expect this account, disable the integration and ask your client.',
  ])

/** What is to be done now, by whom. */
const NEXT: Record<MustAct, string> = {
  client: 'Your client must act: open the integration, create a new connect link and send it to them.',
  agency: 'You can fix this: open the integration and correct its settings.',
  operator: 'Only the operator of your Adjoin installation can fix this. Forward this email to them.',
  nobody: 'You do not need to do anything: it is retried automatically.',
}

type Failed = Connected & { detail: string; mustAct: MustAct | null }

export const integrationErrorMail = ({ name, system, workspace, link, detail, mustAct }: Failed): Mail =>
  compose(`${name}: ${system} needs attention`, [
    `The integration “${name}” with ${system} in ${workspace} has stopped working.`,
    detail,
    ...(mustAct ? [NEXT[mustAct]] : []),
    { link, label: 'Open the integration' },
    'We write once for this; checks go on, and the integration recovers by itself when the cause is gone.',
  ])

function compose(subject: string, parts: Part[]): Mail {
  // One line, whatever a name contains: a header must not grow a second one.
  const title = subject.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, 200)
  return {
    subject: title,
    text: `${parts.map((part) => (typeof part === 'string' ? part : 'link' in part ? `${part.label}: ${part.link}` : `    ${part.code}`)).join('\n\n')}\n\n-- \nAdjoin\n`,
    html: page(title, parts.map(paragraph).join('\n')),
  }
}

const STYLE = 'font:16px/1.5 system-ui,sans-serif;color:#1c2430'

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title></head><body style="${STYLE};margin:0;padding:24px"><div style="max-width:520px;margin:0 auto">\n${body}\n<p style="color:#667085;font-size:13px">Adjoin</p></div></body></html>`

function paragraph(part: Part): string {
  if (typeof part === 'string') return `<p>${escaped(part)}</p>`
  if ('code' in part) return `<p style="font:600 28px/1.2 ui-monospace,monospace;letter-spacing:6px">${escaped(part.code)}</p>`
  return `<p><a href="${escaped(part.link)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#0f5c7a;color:#fff;text-decoration:none">${escaped(part.label)}</a></p>\n<p style="color:#667085;font-size:13px;word-break:break-all">${escaped(part.link)}</p>`
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
