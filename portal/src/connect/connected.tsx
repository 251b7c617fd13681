import { useEffect, useState } from 'react'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icons.tsx'
import { hrefOf, judged, leaveFor } from '../destination.ts'
import { Frame } from './frame.tsx'
import { RenewOthers } from './lazy-renew.tsx'
import { Emphasized, useSpeech } from './speech.tsx'

type ConnectedProps = {
  organization: string
  providerName: string
  connectedAccount: string | null
  returnUrl?: string | null
  receiptUrl: string | null
  /** Null: it can be used. */
  missing?: string | null
  /** What the outcome is read by. */
  result: string
}

const SECONDS = 6

/** Done: what was connected with whom, the receipt, and the way on. */
export function Connected({ organization, providerName, connectedAccount, returnUrl, receiptUrl, missing, result }: ConnectedProps) {
  const { words } = useSpeech()
  const { connected } = words
  const [held, hold] = useState(false)
  return (
    <Frame
      title={missing ? connected.almost : connected.title}
      mark={missing ? { icon: 'info' } : { icon: 'check', good: true }}
      lead={
        <p>
          {missing ? (
            (missing === 'verification' ? connected.settlingLead : connected.almostLead)(organization, providerName)
          ) : connectedAccount ? (
            <Emphasized say={(account) => connected.leadWith(organization, providerName, account)} name={connectedAccount} />
          ) : (
            connected.lead(organization, providerName)
          )}
        </p>
      }
      foot={<p>{connected.remove(providerName, organization)}</p>}
    >
      {returnUrl ? <WayBack to={returnUrl} held={held} /> : !missing && <p className="card mt-6 p-5">{words.page.close}</p>}
      <RenewOthers result={result} onOffer={() => hold(true)} />
      {receiptUrl && <ReceiptLink to={receiptUrl} />}
    </Frame>
  )
}

function ReceiptLink({ to }: { to: string }) {
  const { connected } = useSpeech().words
  return (
    <section className="card mt-4 grid justify-items-start gap-3 p-5">
      <p>{connected.keep}</p>
      <Button asChild>
        <a href={hrefOf(judged(to))}>{connected.receipt}</a>
      </Button>
    </section>
  )
}

/** Followed after a moment, unless one would rather stay or is offered more to do here. */
export function WayBack({ to, held = false }: { to: string; held?: boolean }) {
  const { words } = useSpeech()
  const [left, setLeft] = useState<number | undefined>(SECONDS)
  useEffect(() => {
    if (left === undefined || held) return
    if (left === 0) return leaveFor(judged(to))
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left, to, held])
  const { host } = new URL(to)
  return (
    <div className="card mt-6 grid gap-3 p-5">
      <Button asChild look="primary" className="w-full">
        <a href={hrefOf(judged(to))}>
          {words.consent.next(host)} <Icon name="next" />
        </a>
      </Button>
      {left !== undefined && !held && (
        <p className="flex flex-wrap items-center justify-center gap-x-3 text-faint text-small">
          {words.connected.moment}
          <Button look="quiet" size="small" onClick={() => setLeft(undefined)}>
            {words.connected.stay}
          </Button>
        </p>
      )}
    </div>
  )
}
