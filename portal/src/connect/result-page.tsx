import type { Output } from '@adjoin/contract/operations'
import { Button } from '../design/button.tsx'
import { hrefOf, judged } from '../destination.ts'
import { Connected } from './connected.tsx'
import { Frame, Trouble, Waiting } from './frame.tsx'
import { client } from './link.ts'
import { toYou } from './permissions.ts'
import { useRead } from './use-read.ts'

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

function NotConnected({ outcome, organization, providerName, detail, connectUrl, returnUrl }: Output<'getConnectResult'>) {
  const canceled = outcome === 'canceled'
  return (
    <Frame
      title={canceled ? 'You did not allow the access' : `${providerName} was not connected`}
      mark={{ icon: canceled ? 'info' : 'alert' }}
      lead={
        <>
          <p>
            {canceled
              ? `Nothing was changed: ${organization.name} got no new access to ${providerName}.`
              : toYou(detail ?? `${providerName} did not confirm the access.`)}
          </p>
          {!connectUrl && <p>The link has ended meanwhile. Ask {organization.name} for a new one.</p>}
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
    title="This page has ended"
    mark={{ icon: 'clock' }}
    lead={
      <p>It tells what became of a connection for an hour. If you are unsure whether it worked, ask whoever sent you the connect link.</p>
    }
  />
)
