import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { read } from '../api.ts'
import { Badge } from '../design/badge.tsx'
import { Button } from '../design/button.tsx'
import { Card } from '../design/card.tsx'
import { ProviderMark } from '../design/provider-mark.tsx'
import { Time } from '../design/time.tsx'
import { date } from '../format.ts'
import type { Category } from '../integration-words.ts'
import { type ConnectItem, type ConnectRequest, itemWords, type RequestParams } from '../request-words.ts'
import { stuckOn } from '../stuck-words.ts'

const INTEGRATION = '/organizations/$orgSlug/workspaces/$workspaceSlug/integrations/$id'

/** The checklist as the client has it, with what they don't see: when, and why not. */
export function RequestItems({ place, request }: { place: RequestParams; request: ConnectRequest }) {
  const providers = useQuery(read('listProviders')).data?.providers ?? []
  const category = (provider: string) => providers.find((each) => each.provider === provider)?.category ?? null
  return (
    <Card title="Checklist" flush>
      <ul className="divide-y divide-line" aria-label="Checklist">
        {request.items.map((item) => (
          <Item key={item.id} place={place} item={item} category={category(item.provider)} />
        ))}
      </ul>
    </Card>
  )
}

function Item({ place, item, category }: { place: RequestParams; item: ConnectItem; category: Category | null }) {
  const { name, provider, providerName, integrationId, optional, passedOn, accessUntil, status, startedAt, mustAct } = item
  const params = { orgSlug: place.orgSlug, workspaceSlug: place.workspaceSlug, id: integrationId }
  const about = [
    name !== providerName && providerName,
    optional && 'Optional',
    passedOn && status !== 'connected' && 'Passed on to a colleague',
    accessUntil && `Access ends on ${date(accessUntil)}`,
    status === 'pending' && !startedAt && stuckOn(item),
  ]
  return (
    <li className="relative flex items-start gap-3 px-5 py-3 hover:bg-sunken/50">
      <ProviderMark provider={provider} category={category} className="mt-0.5 size-7" />
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className="flex flex-wrap items-center justify-between gap-x-3">
          <Link to={INTEGRATION} params={params} className="wrap-anywhere font-medium after:absolute after:inset-0">
            {name}
          </Link>
          <Badge tone={itemWords[status].tone}>{itemWords[status].words}</Badge>
        </p>
        <p className="text-faint text-small empty:hidden">{about.filter(Boolean).join(' · ')}</p>
        <State item={item} />
        {(status === 'failed' || status === 'unfinished') && mustAct === 'agency' && (
          <span className="relative z-10 mt-1.5">
            <Button asChild size="small">
              <Link to={`${INTEGRATION}/settings`} params={params}>
                Open settings
              </Link>
            </Button>
          </span>
        )}
      </div>
    </li>
  )
}

/** How far it got, and when. */
function State({ item }: { item: ConnectItem }) {
  const { status, connectedAccount, startedAt, completedAt, detail } = item
  if (completedAt)
    return (
      <p className="wrap-anywhere text-small text-soft">
        {status === 'connected' ? connectedAccount && `${connectedAccount} · ` : 'Your client doesn’t use this · '}
        <Time at={completedAt} />
      </p>
    )
  // Said along with what it is.
  if (status === 'pending' && !startedAt) return null
  return (
    <>
      <p className="text-small text-soft">
        {stuckOn(item)}
        {startedAt && ' · started '}
        {startedAt && <Time at={startedAt} />}
      </p>
      {status === 'failed' && detail && <p className="text-faint text-small">Your client read: “{detail}”</p>}
    </>
  )
}
