import type { Output } from '@adjoin/contract/operations'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { client } from './client.ts'
import { Doorway } from './doorway.tsx'
import { Frame, Gone, Trouble, Waiting } from './frame.tsx'
import { whoAsks } from './link.ts'
import { isOpen, RequestItem } from './request-item.tsx'
import { Emphasized, useSpeech } from './speech.tsx'
import { useHash } from './use-hash.ts'
import { useRead } from './use-read.ts'

/** The list can be read before the forms have come. */
const ItemPage = lazy(() => import('./item-page.tsx').then(({ ItemPage }) => ({ default: ItemPage })))

const AfterVisit = lazy(() => import('./after-visit.tsx').then(({ AfterVisit }) => ({ default: AfterVisit })))

type PublicRequest = Output<'getPublicConnectRequest'>
type Details = NonNullable<PublicRequest['request']>

/** `/connect/r/{token}`: everything that an agency asks of its client, as a list to work through. */
export function RequestPage({ token }: { token: string }) {
  const { words, suggest } = useSpeech()
  const { data, error, again, refresh } = useRead(() => client.getPublicConnectRequest({ token }))
  const hash = useHash()
  const language = data?.language ?? null
  useEffect(() => suggest(language), [suggest, language])
  // Something may have happened elsewhere: on another device, or by whom an item was passed on to.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it always refreshes the same read
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && refresh()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  if (error) return <Trouble error={error} again={again} gone={<Gone />} />
  if (!data) return <Waiting />
  const who = whoAsks(data, words)
  if (!data.request) return <Doorway who={who} lead={words.expired.request(who)} ask={() => client.askForNewRequestLink({ token })} />
  const [key, value = ''] = hash.split('=')
  const open =
    key === 'item' ? data.request.items.find(({ id, status, reconnects }) => id === value && (isOpen(status) || reconnects)) : undefined
  const onConnected = (result: string) => {
    location.hash = `result=${result}`
    refresh()
  }
  if (open?.provider.available)
    return (
      <Suspense fallback={<Waiting />}>
        <ItemPage key={open.id} token={token} item={open} organization={data.organization.name} onConnected={onConnected} />
      </Suspense>
    )
  const shown = { token, data, request: data.request, refresh }
  if (key !== 'result') return <List {...shown} />
  return (
    <Suspense fallback={<Waiting />}>
      <AfterVisit key={value} result={value} items={data.request.items} complete={data.state === 'complete'} refresh={refresh}>
        {(ended, back) => (
          <List {...shown} back={back}>
            {ended}
          </List>
        )}
      </AfterVisit>
    </Suspense>
  )
}

type ListProps = { token: string; data: PublicRequest; request: Details; refresh: () => void; back?: ReactNode; children?: ReactNode }

function List({ token, data, request, refresh, back, children }: ListProps) {
  const { words, date } = useSpeech()
  const { organization, requester } = data
  const { items, workspace, title, message, expiresAt } = request
  const complete = data.state === 'complete'
  const who = whoAsks(data, words)
  const leftOut = items.filter(({ status }) => status === 'declined').length
  const nothing = complete && leftOut === items.length
  const [said, saidMore] =
    leftOut === 0
      ? [words.request.complete, words.request.completeLead]
      : nothing
        ? [words.request.nothing, words.request.nothingLead]
        : [words.request.rest, words.request.restLead]
  const done = items.filter(({ status }) => status === 'connected' || status === 'declined').length
  return (
    <Frame
      title={complete ? said : words.request.title(organization.name)}
      {...(complete && !nothing && { mark: { icon: 'check', good: true } as const })}
      lead={
        <p>{complete ? saidMore(organization.name) : <Emphasized say={(name) => words.request.lead(who, name)} name={workspace.name} />}</p>
      }
      foot={
        !complete && (
          <>
            <p>{words.request.resume}</p>
            <p>{words.ask.notExpected(requester?.name ?? organization.name)}</p>
            <p>{words.request.expires(date(expiresAt))}</p>
          </>
        )
      }
    >
      {complete && !nothing && (back || <p className="card mt-6 p-5">{words.page.close}</p>)}
      {children}
      {message && !complete && (
        <figure className="mt-6 border-accent border-l-2 pl-4">
          <figcaption className="text-small text-soft">{words.request.message(who)}</figcaption>
          <blockquote className="wrap-anywhere mt-1 whitespace-pre-line">{message}</blockquote>
        </figure>
      )}
      <section className="card mt-6" aria-labelledby="items">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 border-line border-b px-5 py-4">
          <h2 id="items" className="wrap-anywhere min-w-0 font-semibold">
            {title}
          </h2>
          <p className="text-small text-soft" role="status">
            {words.request.progress(done, items.length)}
          </p>
        </div>
        <ul className="divide-y divide-line">
          {items.map((item) => (
            <RequestItem key={item.id} token={token} item={item} refresh={refresh} />
          ))}
        </ul>
      </section>
    </Frame>
  )
}
