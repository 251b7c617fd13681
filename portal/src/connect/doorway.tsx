import { ProblemError } from '@adjoin/contract/problem-error'
import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { Notice } from '../design/notice.tsx'
import { usePhrases } from '../design/phrases.ts'
import { Frame } from './frame.tsx'
import { useSpeech } from './speech.tsx'

/** Behind a link that has expired: who sent it, and a way to ask for another. */
export function Doorway({ who, lead, ask }: { who: string; lead: string; ask: () => Promise<unknown> }) {
  const { words } = useSpeech()
  const { explain } = usePhrases()
  const [state, setState] = useState<'ready' | 'busy' | 'asked' | { error: unknown }>('ready')
  const { expired } = words
  const go = () => {
    setState('busy')
    ask().then(
      () => setState('asked'),
      (error) => setState({ error }),
    )
  }
  if (state === 'asked') return <Frame title={expired.asked(who)} mark={{ icon: 'check', good: true }} lead={<p>{expired.askedLead}</p>} />
  const failed = typeof state === 'object' ? state.error : undefined
  const already = failed instanceof ProblemError && failed.status === 429
  return (
    <Frame title={expired.title} mark={{ icon: 'clock' }} lead={<p>{lead}</p>}>
      <section className="card mt-6 grid gap-4 p-5">
        {already && <Notice title={expired.already(who)} />}
        {failed !== undefined && !already && <Notice tone="bad" {...explain(failed)} />}
        {!already && (
          <>
            <p className="wrap-anywhere">{expired.explain(who)}</p>
            <Button look="primary" busy={state === 'busy'} onClick={go}>
              {expired.button}
            </Button>
          </>
        )}
      </section>
    </Frame>
  )
}
