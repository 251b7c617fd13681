import type { Output } from '@adjoin/contract/operations'
import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { hrefOf, judged } from '../destination.ts'
import { client } from './client.ts'
import { Connected } from './connected.tsx'
import { Frame, Trouble, Waiting } from './frame.tsx'
import { ChooseAccount } from './lazy-choose.tsx'
import { FillIn } from './lazy-fill-in.tsx'
import { useSpeech } from './speech.tsx'
import { useHash } from './use-hash.ts'
import { useRead } from './use-read.ts'
import { needsOtherAccount, WhyNot } from './why-not.tsx'

/**
 * `/connect/result`: where a client lands who has no page to return to,
 * or has not consented: going on is theirs to choose.
 */
export function ResultPage() {
  // Another result differs in the fragment alone, for which the browser loads nothing again.
  const result = useHash()
  return <Result key={result} result={result} />
}

/** How a visit ended, and what is missing after it. */
export function Result({ result }: { result: string }) {
  const { data, error, again } = useRead(() => client.getConnectResult({ result }))
  const [left, setLeft] = useState(false)
  if (error) return <Trouble error={error} again={again} gone={<ResultGone />} />
  if (!data) return <Waiting />
  const organization = data.organization.name
  if (data.choosesAccount && !left)
    return (
      <ChooseAccount result={result} organization={organization} system={data.providerName} onChosen={again} onSkip={() => setLeft(true)} />
    )
  if (data.missing === 'settings' && !left) return <FillIn result={result} data={data} onDone={again} onSkip={() => setLeft(true)} />
  if (data.outcome === 'connected') return <Connected {...data} result={result} organization={organization} />
  return <NotConnected {...data} />
}

function NotConnected(result: Output<'getConnectResult'>) {
  const { words } = useSpeech()
  const { outcome, organization, providerName, connectUrl, returnUrl } = result
  const { failed, page } = words
  const canceled = outcome === 'canceled'
  // Nothing was tried: the link went while the client was away.
  const untried = !connectUrl && result.reason === null
  const expectedAccount = useExpectedAccount(result)
  return (
    <Frame
      title={canceled ? failed.canceled : failed.title(providerName)}
      mark={{ icon: canceled ? 'info' : 'alert' }}
      lead={
        <>
          <p>
            {canceled || untried ? (
              failed.nothing(organization.name, providerName)
            ) : (
              <WhyNot failure={result} system={providerName} organization={organization.name} expectedAccount={expectedAccount} />
            )}
          </p>
          {!connectUrl && <p>{failed.askAgain(organization.name)}</p>}
        </>
      }
    >
      <div className="mt-6 flex flex-wrap items-center gap-2.5">
        {connectUrl && (
          <Button asChild look="primary">
            <a href={hrefOf(judged(connectUrl))}>
              {canceled ? failed.startOver : needsOtherAccount(result) ? failed.otherAccount : page.tryAgain}
            </a>
          </Button>
        )}
        {returnUrl && (
          <Button asChild>
            <a href={hrefOf(judged(returnUrl))}>{failed.without(new URL(returnUrl).host)}</a>
          </Button>
        )}
      </div>
    </Frame>
  )
}

/** The link, while it works, says which account it is for. */
function useExpectedAccount(result: Output<'getConnectResult'>): string | null {
  const token = needsOtherAccount(result) && result.connectUrl?.split('/').at(-1)
  const { data } = useRead(async () => (token ? client.getConnectLink({ token }) : null))
  return data?.expectedAccount ?? null
}

function ResultGone() {
  const { gone } = useSpeech().words
  return <Frame title={gone.result} mark={{ icon: 'clock' }} lead={<p>{gone.resultLead}</p>} />
}
