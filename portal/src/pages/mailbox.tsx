import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge } from '../design/badge.tsx'
import { Empty } from '../design/empty.tsx'
import { Logo } from '../design/logo.tsx'
import { Notice } from '../design/notice.tsx'
import { SkeletonPage } from '../design/skeleton.tsx'
import { Time } from '../design/time.tsx'

type MailboxMessage = { to: string; subject: string; text: string; html: string; sentAt: string }

async function readMailbox(): Promise<MailboxMessage[]> {
  const response = await fetch('/dev/mailbox.json')
  if (!response.ok) throw new Error('no mailbox')
  const { messages } = (await response.json()) as { messages: MailboxMessage[] }
  return messages.toSorted((one, other) => other.sentAt.localeCompare(one.sentAt))
}

/** Development only: the mails that would have been sent. */
export function Mailbox() {
  const mailbox = useQuery({ queryKey: ['mailbox'], queryFn: readMailbox, refetchInterval: 2000 })
  const [chosen, setChosen] = useState<string>()
  const messages = mailbox.data
  const open = messages?.find((message) => keyOf(message) === chosen) ?? messages?.[0]
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 sm:px-6">
      <title>Mailbox · Adjoin</title>
      <header className="mb-5 flex flex-wrap items-center gap-x-3 gap-y-1">
        <Logo />
        <h1 className="font-semibold text-large">Mailbox</h1>
        <Badge tone="warn">development</Badge>
        <p className="basis-full text-soft">Until SMTP_URL is set, emails appear here instead of being sent.</p>
      </header>
      <main>
        {mailbox.error ? (
          <Notice tone="warn" title="No mailbox" detail="This page is available in development while SMTP_URL is not set." />
        ) : !messages ? (
          <SkeletonPage />
        ) : !open ? (
          <div className="card">
            <Empty icon="mail" title="No emails yet">
              Sign in, sign up or invite someone. The email appears here within 2 seconds.
            </Empty>
          </div>
        ) : (
          <div className="grid items-start gap-4 md:grid-cols-[18rem_1fr]">
            <ul className="card max-h-[75vh] divide-y divide-line overflow-y-auto max-md:max-h-60">
              {messages.map((message) => (
                <li key={keyOf(message)}>
                  <button
                    type="button"
                    aria-current={message === open}
                    onClick={() => setChosen(keyOf(message))}
                    className="grid w-full grid-cols-1 gap-0.5 px-4 py-3 text-left hover:bg-sunken aria-current:bg-accent-tint"
                  >
                    <span className="truncate font-medium">{message.subject}</span>
                    <span className="flex justify-between gap-3 text-small text-soft">
                      <span className="truncate">{message.to}</span>
                      <Time at={message.sentAt} />
                    </span>
                  </button>
                </li>
              ))}
            </ul>
            <Letter message={open} />
          </div>
        )}
      </main>
    </div>
  )
}

const keyOf = ({ to, subject, sentAt }: MailboxMessage) => `${sentAt} ${to} ${subject}`

const Letter = ({ message: { to, subject, text } }: { message: MailboxMessage }) => (
  <article className="card min-w-0 p-5">
    <h2 className="font-semibold text-large">{subject}</h2>
    <p className="text-faint text-small">To {to}</p>
    <div className="mt-4 whitespace-pre-wrap break-words border-line border-t pt-4 text-large">{linked(text)}</div>
  </article>
)

/** The links of a plain text, to be followed; the odd parts of the split are the links. */
const linked = (text: string) =>
  text.split(/(https?:\/\/[^\s<>"]+)/).map((part, index) =>
    index % 2 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places
      <a key={index} href={part} className="link wrap-anywhere">
        {part}
      </a>
    ) : (
      part
    ),
  )
