import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '../design/button.tsx'
import { Notice } from '../design/notice.tsx'
import { usePhrases } from '../design/phrases.ts'
import { client } from './client.ts'
import { Frame, Trouble, Waiting } from './frame.tsx'
import type { Receipt } from './link.ts'
import { ReceiptUse } from './receipt-use.tsx'
import { useSpeech } from './speech.tsx'
import { useOwnWords } from './use-own-words.ts'
import { useRead } from './use-read.ts'

/** `/connect/receipt/{token}`: what was given to whom, what was done with it, and the way to end it. */
export function ReceiptPage({ token }: { token: string }) {
  const { words, date, suggest } = useSpeech()
  const { data, error, again } = useRead(() => client.getReceipt({ token }))
  const [ended, setEnded] = useState<Receipt>()
  const receipt = ended ?? data
  const language = receipt?.language ?? null
  useEffect(() => suggest(language), [suggest, language])
  if (error)
    return (
      <Trouble
        error={error}
        again={again}
        gone={<Frame title={words.receipt.gone} mark={{ icon: 'clock' }} lead={<p>{words.receipt.goneLead}</p>} />}
      />
    )
  if (!receipt) return <Waiting />
  const { organization, providerName, state, endedAt } = receipt
  const { receipt: said } = words
  const [title, lead] = {
    connected: [
      said.title(organization.name),
      (receipt.unfinished ? said.unfinished : said.lead)(organization.name, providerName),
    ] as const,
    disconnected: [said.ended, said.endedLead(organization.name, providerName)] as const,
    ended: [said.over, said.overLead(organization.name, providerName, endedAt ? date(endedAt) : '')] as const,
  }[state]
  const connected = state === 'connected'
  return (
    <Frame
      title={title}
      lead={<p>{lead}</p>}
      mark={connected && !receipt.unfinished ? { icon: 'shield', good: true } : { icon: 'info' }}
      foot={connected && <p>{said.keep}</p>}
    >
      <Facts receipt={receipt} />
      <ReceiptUse receipt={receipt} />
      {connected && <Disconnect token={token} receipt={receipt} onEnded={setEnded} />}
    </Frame>
  )
}

function Facts({ receipt }: { receipt: Receipt }) {
  const { words, date, moment, join } = useSpeech()
  const { receipt: said, software } = words
  const { organization, workspace, providerName, account, connectedAt, accessUntil, permissions, callPolicy } = receipt
  const lives = receipt.state === 'connected'
  const own = useOwnWords(permissions)
  const facts: [string, ReactNode][] = [
    [said.system, providerName],
    [said.account, account],
    [said.purpose, `${organization.name} · ${workspace.name}`],
    [said.since, moment(connectedAt)],
    [said.until, lives && (accessUntil ? date(accessUntil) : said.untilRevoked)],
    [said.permissions, permissions.length > 0 && permissions.map((line) => <p key={line}>{own(line) ?? line}</p>)],
    [said.software, lives && join(software[callPolicy.mode](organization.name), software.later(organization.name))],
  ]
  return (
    <dl className="card mt-6 grid gap-3 p-5">
      {facts.map(
        ([term, fact]) =>
          fact && (
            <div key={term} className="grid gap-0.5 sm:grid-cols-[9rem_1fr] sm:gap-3">
              <dt className="text-small text-soft">{term}</dt>
              <dd className="wrap-anywhere min-w-0">{fact}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

type DisconnectProps = { token: string; receipt: Receipt; onEnded: (receipt: Receipt) => void }

/** The second click is another button: nothing ends by a tap that was meant for something else. */
function Disconnect({ token, receipt: { organization, providerName }, onEnded }: DisconnectProps) {
  const { words } = useSpeech()
  const { explain } = usePhrases()
  const [state, setState] = useState<{ sure?: boolean; busy?: boolean; error?: unknown }>({})
  const { receipt } = words
  const go = () => {
    setState({ sure: true, busy: true })
    client.disconnectByReceipt({ token }).then(onEnded, (error) => setState({ sure: true, error }))
  }
  if (!state.sure)
    return (
      <Button look="grave" className="mt-4" onClick={() => setState({ sure: true })}>
        {receipt.disconnect(providerName)}
      </Button>
    )
  return (
    <section className="card mt-4 grid gap-4 p-5" aria-label={receipt.disconnect(providerName)}>
      {state.error !== undefined && <Notice tone="bad" {...explain(state.error)} />}
      <p role="alert" className="wrap-anywhere">
        {receipt.sure(organization.name, providerName)}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button look="danger" busy={state.busy ?? false} onClick={go}>
          {receipt.yes}
        </Button>
        <Button look="quiet" onClick={() => setState({})}>
          {words.page.cancel}
        </Button>
      </div>
    </section>
  )
}
