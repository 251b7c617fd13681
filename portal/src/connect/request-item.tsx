import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icons.tsx'
import { Notice } from '../design/notice.tsx'
import { usePhrases } from '../design/phrases.ts'
import { ProviderMark } from '../design/provider-mark.tsx'
import { client } from './client.ts'
import type { RequestedItem } from './link.ts'
import { PassOn } from './pass-on.tsx'
import { useSpeech } from './speech.tsx'

export const isOpen = (status: RequestedItem['status']): boolean => status === 'pending' || status === 'failed'

type ItemProps = { token: string; item: RequestedItem; refresh: () => void }

/** One line of the checklist: what it is, how far it is, and what can be done about it. */
export function RequestItem({ token, item, refresh }: ItemProps) {
  const { request } = useSpeech().words
  const { provider, name, optional, status } = item
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-3 px-5 py-4">
      <div className="flex gap-3">
        <ProviderMark provider={provider.provider} category={provider.category} className="mt-0.5 size-7" />
        <div className="grid min-w-0 flex-1 gap-0.5">
          <h3 className="wrap-anywhere font-medium">{name}</h3>
          <p className="wrap-anywhere text-small text-soft">
            {[name !== provider.providerName && provider.providerName, optional && request.optional].filter(Boolean).join(' · ')}
          </p>
          <State item={item} />
        </div>
      </div>
      {status === 'unfinished' && <GoOn item={item} />}
      {isOpen(status) && provider.available && <Actions token={token} item={item} refresh={refresh} />}
    </li>
  )
}

/** Exactly what is missing: the account, a setting, or access once more. */
function GoOn({ item: { id, name, result, reconnects } }: { item: RequestedItem }) {
  const { request, failed } = useSpeech().words
  return (
    <div className="flex flex-wrap gap-x-4 gap-y-1">
      {result && (
        <Button asChild look="primary">
          <a href={`#result=${result}`}>{request.finish(name)}</a>
        </Button>
      )}
      {reconnects && (
        <Button asChild {...(!result && { look: 'primary' as const })}>
          <a href={`#item=${id}`}>{result ? failed.otherAccount : request.retry(name)}</a>
        </Button>
      )}
    </div>
  )
}

function State({ item: { status, account, connectedAt, passedOn, provider, missing } }: { item: RequestedItem }) {
  const { words, moment } = useSpeech()
  const { request, connected } = words
  if (status === 'connected')
    return (
      <p className="wrap-anywhere flex gap-1.5 text-small">
        <Icon name="check" className="mt-0.5 text-good" />
        <span className="min-w-0">{[connected.title, account, connectedAt && moment(connectedAt)].filter(Boolean).join(' · ')}</span>
      </p>
    )
  const said =
    status === 'unfinished'
      ? missing === 'verification'
        ? request.settling
        : missing === 'access'
          ? request.failed
          : request.unfinished
      : status === 'declined'
        ? request.declined
        : !provider.available
          ? request.soon
          : status === 'failed'
            ? request.failed
            : passedOn
              ? request.passedOn
              : request.open
  return (
    <p
      className={`text-small ${status === 'failed' || (status === 'unfinished' && missing !== 'verification') ? 'text-warn' : 'text-soft'}`}
    >
      {said}
    </p>
  )
}

function Actions({ token, item, refresh }: ItemProps) {
  const { words } = useSpeech()
  const { request } = words
  const [open, setOpen] = useState<'passOn' | 'decline'>()
  const toggle = (what: 'passOn' | 'decline') => setOpen(open === what ? undefined : what)
  return (
    <>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        <Button asChild look="primary">
          <a href={`#item=${item.id}`}>{(item.status === 'failed' ? request.retry : request.connect)(item.name)}</a>
        </Button>
        <span className="-ml-3.5 flex flex-wrap">
          <Button look="quiet" aria-expanded={open === 'passOn'} onClick={() => toggle('passOn')}>
            {request.notMine}
            <span className="sr-only"> · {item.name}</span>
          </Button>
          {item.optional && (
            <Button look="quiet" aria-expanded={open === 'decline'} onClick={() => toggle('decline')}>
              {request.unused}
              <span className="sr-only"> · {item.name}</span>
            </Button>
          )}
        </span>
      </div>
      {open === 'passOn' && <PassOn token={token} item={item} refresh={refresh} />}
      {open === 'decline' && <Decline token={token} item={item} refresh={refresh} onCancel={() => setOpen(undefined)} />}
    </>
  )
}

function Decline({ token, item, refresh, onCancel }: ItemProps & { onCancel: () => void }) {
  const { words } = useSpeech()
  const { explain } = usePhrases()
  const [state, setState] = useState<{ busy?: boolean; error?: unknown }>({})
  const go = () => {
    setState({ busy: true })
    client.declineConnectItem({ token, itemId: item.id }).then(refresh, (error) => setState({ error }))
  }
  return (
    <fieldset className="grid gap-3 rounded-base bg-sunken p-4" aria-label={words.request.unused}>
      {state.error !== undefined && <Notice tone="bad" {...explain(state.error)} />}
      <p className="wrap-anywhere">{words.request.unusedSure(item.name)}</p>
      <div className="flex flex-wrap gap-2">
        <Button busy={state.busy ?? false} onClick={go}>
          {words.request.leaveOut}
        </Button>
        <Button look="quiet" onClick={onCancel}>
          {words.page.cancel}
        </Button>
      </div>
    </fieldset>
  )
}
