import type { Output } from '@adjoin/contract/operations'
import { useEffect, useState } from 'react'
import { Button } from '../design/button.tsx'
import { Notice } from '../design/notice.tsx'
import { usePhrases } from '../design/phrases.ts'
import { client } from './client.ts'
import { useSpeech } from './speech.tsx'
import { useRead } from './use-read.ts'

type Other = Output<'getConnectResult'>['others'][number]

export type RenewOthersProps = { result: string; onOffer?: () => void }

/** Connections that died with the same login are offered to be renewed with it: all of them, or some. */
export function RenewOthers({ result, onOffer }: RenewOthersProps) {
  const { data } = useRead(() => client.getConnectResult({ result }))
  const others = data?.others ?? []
  const offers = others.length > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once, when there is an offer
  useEffect(() => {
    if (offers) onOffer?.()
  }, [offers])
  return offers ? <Offer result={result} others={others} /> : null
}

function Offer({ result, others }: { result: string; others: Other[] }) {
  const { renew } = useSpeech().words
  const { explain } = usePhrases()
  const [chosen, setChosen] = useState(() => new Set(others.map(({ id }) => id)))
  const [state, setState] = useState<{ busy?: boolean; error?: unknown; results?: Output<'renewWithSameLogin'>['results'] }>({})
  const go = () => {
    setState({ busy: true })
    client.renewWithSameLogin({ result }, { integrationIds: [...chosen] }).then(
      ({ results }) => setState({ results }),
      (error) => setState({ error }),
    )
  }
  if (state.results) {
    const renewed = state.results.filter(({ outcome }) => outcome === 'connected').length
    const not = state.results.length - renewed
    return (
      <div className="mt-4">
        <Notice tone={not ? 'info' : 'good'} title={renew.done(renewed)} detail={not > 0 && renew.not(not)} />
      </div>
    )
  }
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }
  return (
    <section className="card mt-4 grid gap-3 p-5">
      <h2 className="font-semibold">{renew.title(others.length)}</h2>
      <p className="text-soft">{renew.lead}</p>
      {state.error !== undefined && <Notice tone="bad" {...explain(state.error)} />}
      <ul className="grid max-h-72 gap-1 overflow-y-auto">
        {others.map(({ id, name, workspace, account }) => (
          <li key={id}>
            <label className="flex items-start gap-2.5 py-1">
              <input type="checkbox" className="mt-1 size-4 accent-accent" checked={chosen.has(id)} onChange={() => toggle(id)} />
              <span className="wrap-anywhere min-w-0">
                {name}
                <span className="block text-small text-soft">{[workspace.name, account].filter(Boolean).join(' · ')}</span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      <Button look="primary" busy={state.busy ?? false} disabled={chosen.size === 0} onClick={go}>
        {renew.button(chosen.size)}
      </Button>
    </section>
  )
}
