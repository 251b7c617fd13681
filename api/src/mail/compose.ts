// How a mail is put together: plain text first, the same as simple HTML.
// Nothing is fetched from anywhere when a mail is opened, and no link in it is anyone's but ours:
// a mail must not carry what a stranger writes into a name.
import type { Language } from '@adjoin/contract'
import { plainWords, truncate, withoutLinks } from '../domain/foreign-text.ts'

export interface Mail {
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Beyond what every mail has. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Our words, and between them theirs: names, mostly.
 * Only `say` makes one, so that nothing of theirs is taken for ours.
 */
export interface MailSentence {
  readonly ours: readonly string[]
  readonly theirs: readonly string[]
}
export function say(words: TemplateStringsArray, ...given: (string | MailSentence)[]): MailSentence {
  const ours = [words[0]!]
  const theirs: string[] = []
  for (const [at, one] of given.entries()) {
    const part = typeof one === 'string' ? { ours: ['', ''], theirs: [one] } : one
    const [begin = '', ...rest] = part.ours
    ours.push(ours.pop() + begin, ...rest)
    theirs.push(...part.theirs)
    ours.push(ours.pop() + words[at + 1]!)
  }
  return { ours, theirs }
}

export type Part =
  | MailSentence
  | { readonly link: string; readonly label: string }
  | { readonly code: string }
  | { readonly detail: string }
  | { readonly list: readonly MailSentence[] }
  /** What somebody wrote to the reader: in lines, and marked as theirs. */
  | { readonly quote: string }
  /** Beside the matter: how to get no more of these. */
  | { readonly aside: MailSentence; readonly link: string; readonly label: string }
  /** Addresses, or a domain, that their owners have proved: people must be able to read them. */
  | { readonly proved: string }

const NAME = 100
const DETAIL = 1000
const textOf = ({ ours, theirs }: MailSentence, tell: (theirs: string) => string) =>
  ours.map((own, at) => own + (at < theirs.length ? tell(theirs[at]!) : '')).join('')
const inText = (sentence: MailSentence) => textOf(sentence, (name) => truncate(withoutLinks(name), NAME))

export function compose(subject: MailSentence, parts: Part[], language: Language = 'en'): Mail {
  // One line of words, whatever a name contains: a header must not grow a second one.
  const title = truncate(textOf(subject, plainWords), 200)
  return {
    subject: title,
    text: `${parts.map(plain).join('\n\n')}\n\n-- \nAdjoin\n`,
    html: page(title, parts.map(paragraph).join('\n'), language),
  }
}

function plain(part: Part): string {
  if ('aside' in part) return `${inText(part.aside)}\n${part.label}: ${part.link}`
  if ('link' in part) return `${part.label}: ${part.link}`
  if ('code' in part) return `    ${part.code}`
  if ('proved' in part) return part.proved
  if ('quote' in part) return quoted(part.quote).replace(/^/gm, '> ')
  if ('list' in part) return part.list.map((one) => `• ${inText(one)}`).join('\n')
  return 'detail' in part ? truncate(withoutLinks(part.detail), DETAIL) : inText(part)
}

const quoted = (text: string) =>
  truncate(
    text
      .trim()
      .split(/(?:\r\n?|\n)+/)
      .map(withoutLinks)
      .join('\n'),
    DETAIL,
  )

const STYLE = 'font:16px/1.5 system-ui,sans-serif;color:#1c2430'
const SMALL = 'color:#667085;font-size:13px'

/** Colours stand in the elements, for programs that leave a style sheet out; those that show mail on dark paper read it. */
const DARK =
  ':root{color-scheme:light dark}@media(prefers-color-scheme:dark){body{background:#12161c!important;color:#e4e8ee!important}' +
  '.small,.small a{color:#9aa5b4!important}.button{background:#8ccbe6!important;color:#0c1a22!important}}'

const page = (title: string, body: string, language: Language) =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no"><title>${escaped(title)}</title><style>${DARK}</style></head><body style="${STYLE};margin:0;padding:24px"><div style="max-width:520px;margin:0 auto">\n${body}\n<p class="small" style="${SMALL}">Adjoin</p></div></body></html>`

function paragraph(part: Part): string {
  if ('aside' in part)
    return `<p class="small" style="${SMALL}">${escaped(inText(part.aside))} <a href="${escaped(part.link)}" style="color:#667085">${escaped(part.label)}</a></p>`
  if ('code' in part) return `<p style="font:600 28px/1.2 ui-monospace,monospace;letter-spacing:6px">${escaped(part.code)}</p>`
  if ('list' in part)
    return `<ul style="margin:16px 0;padding-left:20px">${part.list.map((one) => `<li>${escaped(inText(one))}</li>`).join('')}</ul>`
  if ('quote' in part)
    return `<p style="white-space:pre-line;border-left:3px solid #9aa5b4;padding-left:12px">${escaped(quoted(part.quote))}</p>`
  if (!('link' in part)) return `<p>${escaped(plain(part))}</p>`
  return `<p><a href="${escaped(part.link)}" class="button" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#0f5c7a;color:#fff;text-decoration:none">${escaped(part.label)}</a></p>\n<p class="small" style="${SMALL};word-break:break-all">${escaped(part.link)}</p>`
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
