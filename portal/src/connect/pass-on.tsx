import { useEffect, useState } from 'react'
import { CopyButton } from '../design/copy-button.tsx'
import { Notice } from '../design/notice.tsx'
import { usePhrases } from '../design/phrases.ts'
import { client } from './client.ts'
import type { RequestedItem } from './link.ts'
import { useSpeech } from './speech.tsx'

/** A link for one item alone, for the person who can connect it. Asked for again, it is the same one. */
export function PassOn({ token, item, refresh }: { token: string; item: RequestedItem; refresh: () => void }) {
  const { words } = useSpeech()
  const { explain } = usePhrases()
  const [state, setState] = useState<{ link?: string; error?: unknown }>({})
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for once, when it is opened
  useEffect(() => {
    let current = true
    client.passOnConnectItem({ token, itemId: item.id }).then(
      ({ connectUrl }) => {
        if (!current) return
        setState({ link: connectUrl })
        refresh()
      },
      (error) => current && setState({ error }),
    )
    return () => {
      current = false
    }
  }, [])
  if (state.error !== undefined) return <Notice tone="bad" {...explain(state.error)} />
  return (
    <fieldset className="grid gap-3 rounded-base bg-sunken p-4" aria-label={words.request.passOn(item.name)}>
      <p className="wrap-anywhere">{words.request.passOnLead(item.name)}</p>
      {state.link ? (
        <div className="flex flex-wrap items-center gap-2">
          <input
            readOnly
            value={state.link}
            aria-label={words.request.link}
            className="control min-w-0 flex-1 basis-48 border border-edge bg-surface px-3 font-mono text-small"
            onFocus={(event) => event.target.select()}
          />
          <CopyButton text={state.link} />
        </div>
      ) : (
        <p role="status">{words.page.loading}</p>
      )}
    </fieldset>
  )
}
