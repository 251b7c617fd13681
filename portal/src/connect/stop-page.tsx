import { ProblemError } from '@adjoin/contract/problem-error'
import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { Notice } from '../design/notice.tsx'
import { usePhrases } from '../design/phrases.ts'
import { client } from './client.ts'
import { Frame, Gone } from './frame.tsx'
import { useSpeech } from './speech.tsx'

/** `/connect/stop/{token}`: from an email. Opening it changes nothing: mail programs open links, too. */
export function StopPage({ token }: { token: string }) {
  const { mails } = useSpeech().words
  const { explain } = usePhrases()
  const [state, setState] = useState<{ busy?: boolean; stopped?: string; error?: unknown }>({})
  const stop = () => {
    setState({ busy: true })
    client.stopClientMails({ token }).then(
      ({ organization }) => setState({ stopped: organization.name }),
      (error) => setState({ error }),
    )
  }
  if (state.stopped !== undefined)
    return <Frame title={mails.done} mark={{ icon: 'check', good: true }} lead={<p>{mails.doneLead(state.stopped)}</p>} />
  if (state.error instanceof ProblemError && (state.error.status === 404 || state.error.status === 400)) return <Gone />
  return (
    <Frame title={mails.title} mark={{ icon: 'mail' }} lead={<p>{mails.lead}</p>}>
      <div className="mt-6 grid justify-items-start gap-4">
        {state.error !== undefined && <Notice tone="bad" {...explain(state.error)} />}
        <Button look="primary" busy={state.busy ?? false} onClick={stop}>
          {mails.button}
        </Button>
      </div>
    </Frame>
  )
}
