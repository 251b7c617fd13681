import type { wouldEnd } from '@adjoin/contract/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Loaded } from '../design/loaded.tsx'
import { Time } from '../design/time.tsx'
import { plural } from '../format.ts'

type Ends = Awaited<ReturnType<typeof wouldEnd>>
type Ending = Ends[keyof Ends][number]

const kinds: [keyof Ends, (count: number) => string][] = [
  ['integrations', (count) => `${plural(count, 'integration')} will be affected`],
  [
    'providerAccess',
    (count) => `Access of ${plural(count, 'integration')} will be revoked at the ad system, unless another connection uses it`,
  ],
  ['apiKeys', (count) => `${plural(count, 'API key')} will stop working`],
  ['connectLinks', (count) => `${plural(count, 'connect link')} will stop working`],
  ['invitations', (count) => `${plural(count, 'invitation')} will be canceled`],
  ['webhooks', (count) => `${plural(count, 'webhook')} will stop`],
]

type WouldEndProps = {
  /** The change and what it is about, to keep the answers apart. */
  of: readonly unknown[]
  ask: () => Promise<Ends>
}

/** What a change would end, by name and with its last use, while one can still cancel. */
export function WouldEnd({ of, ask }: WouldEndProps) {
  // Asked once as the dialog opens: after the change there is nothing left to ask about.
  const query = useQuery({ queryKey: ['wouldEnd', ...of], queryFn: ask, staleTime: 'static', gcTime: 0, placeholderData: keepPreviousData })
  return (
    <Loaded query={query}>
      {(ends) => {
        const some = kinds.filter(([kind]) => ends[kind]?.length > 0)
        if (!some.length) return null
        return (
          <section aria-label="What this affects" className="mt-1.5 grid gap-3 border-line border-t pt-3">
            {some.map(([kind, words]) => (
              <div key={kind} className="grid gap-1">
                <p className="font-medium text-ink">{words(ends[kind].length)}</p>
                <EndingList endings={ends[kind]} />
              </div>
            ))}
          </section>
        )
      }}
    </Loaded>
  )
}

const NAMED = 5

const EndingList = ({ endings }: { endings: Ending[] }) => (
  <ul className="grid gap-1">
    {endings.slice(0, NAMED).map(({ id, name, lastUsedAt }) => (
      <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="wrap-anywhere">{name}</span>
        {lastUsedAt && (
          <span className="text-faint text-small">
            last used <Time at={lastUsedAt} />
          </span>
        )}
      </li>
    ))}
    {endings.length > NAMED && <li className="text-faint text-small">and {endings.length - NAMED} more</li>}
  </ul>
)
