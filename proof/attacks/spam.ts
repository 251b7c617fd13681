// Our mails are nobody's advertisement: so many to one mailbox, no foreign address in a subject or a text.
import { type Attack, type AttackContext, clientOf, counted, inParallel, outcomeOf, PUBLIC_URL, send, unique } from './attack-context.ts'

const INVITATIONS = 150
const TO_ONE_MAILBOX = 5

const EVIL = 'evil.example'
const names = [
  `Win at https://${EVIL}/now`,
  `http://${EVIL}`,
  `www.${EVIL}`,
  `${EVIL}/win`,
  `Ada (${EVIL})`,
  `support@${EVIL}`,
  `h\u200bttps://${EVIL}`,
  `https:\u2215\u2215${EVIL}`,
]

export const spam: Attack = async function* (context) {
  yield* oneMailbox(context)
  yield* badNames(context)
}

/** By tags, again and again after a cancel, and from many organizations: it is one mailbox. */
async function* oneMailbox(context: AttackContext) {
  const { furnish, urls } = context
  const victim = `victim-${unique()}`
  const host = `${unique()}.example`
  const organization = await furnish.organization()
  const crowd = await inParallel(Array.from({ length: INVITATIONS / 3 }), 4, () => furnish.organization())
  const invite = async ({ slug, admin }: typeof organization, email: string, n: number) => {
    const path = `${urls[n % urls.length]}/v1/organizations/${slug}/invitations`
    const answer = await send(path, { method: 'POST', headers: admin.headers, body: { email, role: 'viewer' } })
    if (answer.status === 201) await send(`${path}/${JSON.parse(answer.body).id}`, { method: 'DELETE', headers: admin.headers })
    return outcomeOf(answer)
  }
  const drafts = Array.from({ length: INVITATIONS }, (_, n) =>
    n % 3 === 0
      ? { from: organization, email: `${victim}+${n}@${host}` }
      : { from: n % 3 === 1 ? organization : crowd[(n - 2) / 3]!, email: `${victim}@${host}` },
  )
  const outcomes = await inParallel(drafts, 4, ({ from, email }, n) => invite(from, email, n))
  const mailed = outcomes.filter((outcome) => outcome === '201').length
  yield {
    tried: `${INVITATIONS} invitations to one mailbox, in three ways`,
    found: `${mailed} mailed (${counted(outcomes)})`,
    good: mailed <= TO_ONE_MAILBOX,
  }
}

/** A name reaches the subject and the text of an invitation. */
async function* badNames({ furnish, urls, smtp }: AttackContext) {
  const faults: string[] = []
  let refused = 0
  for (const [n, name] of names.entries()) {
    const organization = await furnish.organization()
    const client = clientOf(urls[n % urls.length]!, organization.admin)
    const renamed = await Promise.allSettled([
      client.updateMe({ name }),
      client.updateOrganization({ orgSlug: organization.slug }, { name }),
    ])
    refused += renamed.filter(({ status }) => status === 'rejected').length
    const email = `client@${unique()}.example`
    await client.createOrganizationInvitation({ orgSlug: organization.slug }, { email, role: 'viewer' })
    const { subject, text } = await smtp.letterTo(email)
    const links = (text.match(/(?:https?:\/\/|www\.)\S+/gi) ?? []).filter((link) => !link.startsWith(`${PUBLIC_URL}/`))
    // Words may stay; what a mail program makes a link of may not.
    if (/:\/\/|www\.|\w\.\w{2}|@/i.test(decoded(subject)) || links.length)
      faults.push(`${JSON.stringify(decoded(subject))} ${links.join(' ')}`.trim())
  }
  yield {
    tried: `${names.length} names that are addresses, of a person and an organization that invite`,
    found: faults.length ? `${faults.length} mails carry them, such as ${faults[0]}` : `no mail carries one (${refused} refused as names)`,
    good: !faults.length,
  }
}

/** A subject that is not ASCII comes in encoded words (RFC 2047). */
const decoded = (subject: string): string =>
  subject.replace(/=\?utf-8\?([bq])\?([^?]*)\?=\s*/gi, (_, how: string, text: string) =>
    how.toLowerCase() === 'b'
      ? Buffer.from(text, 'base64').toString()
      : Buffer.from(
          text.replaceAll('_', ' ').replace(/=([0-9A-F]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
          'latin1',
        ).toString(),
  )
