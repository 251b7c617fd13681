import type { Output } from '@adjoin/contract/operations'
import { Button } from '../design/button.tsx'
import { hrefOf, judged } from '../destination.ts'
import { Connected } from './connected.tsx'
import { Frame, Trouble, Waiting } from './frame.tsx'
import { client } from './link.ts'
import { useRead } from './use-read.ts'
import { whyNotConnected } from './why-not-connected.ts'

/**
 * `/connect/result`: where a client lands who has no page to return to,
 * or has not consented: going on is theirs to choose.
 */
export function ResultPage({ result }: { result: string }) {
  const { data, error, again } = useRead(() => client.getConnectResult({ result }))
  if (error) return <Trouble error={error} again={again} gone={<Gone />} />
  if (!data) return <Waiting />
  if (data.outcome === 'connected') return <Connected {...data} organization={data.organization.name} />
  return <NotConnected {...data} />
}

function NotConnected(result: Output<'getConnectResult'>) {
  const { outcome, organization, providerName, connectUrl, returnUrl } = result
  const canceled = outcome === 'canceled'
  return (
    <Frame
      title={canceled ? 'You didn’t allow access' : `${providerName} was not connected`}
      mark={{ icon: canceled ? 'info' : 'alert' }}
      lead={
        <>
          <p>
            {canceled
              ? `Nothing has changed: ${organization.name} has no new access to ${providerName}.`
              : whyNotConnected(result, { providerName, organization: organization.name })}
          </p>
          {!connectUrl && <p>Your link no longer works. Ask {organization.name} to send you a new one.</p>}
        </>
      }
    >
      <div className="mt-6 flex flex-wrap items-center gap-2.5">
        {connectUrl && (
          <Button asChild look="primary">
            <a href={hrefOf(judged(connectUrl))}>{canceled ? 'Start over' : 'Try again'}</a>
          </Button>
        )}
        {returnUrl && (
          <Button asChild>
            <a href={hrefOf(judged(returnUrl))}>
              <span className="truncate">Continue to {new URL(returnUrl).host} without connecting</span>
            </a>
          </Button>
        )}
      </div>
    </Frame>
  )
}

const Gone = () => (
  <Frame
    title="This page has expired"
    mark={{ icon: 'clock' }}
    lead={
      <p>
        It showed the result of your connection for an hour. If you’re not sure whether it worked, ask the person who sent you the link.
      </p>
    }
  />
)
