import type { Output } from '@adjoin/contract/operations'
import { useState } from 'react'
import { date } from '../format.ts'
import { ConnectRequest } from './connect-request.tsx'
import { Connected } from './connected.tsx'
import { ConsentButton } from './consent-button.tsx'
import { CredentialsForm } from './credentials-form.tsx'
import { Frame, Trouble, Waiting } from './frame.tsx'
import { client, type Link } from './link.ts'
import { useRead } from './use-read.ts'

/** `/connect/{token}`: what an agency asks of its client, and the way to give it. */
export function ConnectPage({ token }: { token: string }) {
  const { data: link, error, again } = useRead(() => client.getConnectLink({ token }))
  const [outcome, setOutcome] = useState<Output<'submitConnectCredentials'>>()
  if (error) return <Trouble error={error} again={again} gone={<Gone />} />
  if (!link) return <Waiting />
  if (outcome) return <Connected {...outcome} organization={link.organization.name} providerName={link.provider.providerName} />
  if (link.state === 'expired') return <Expired link={link} />
  if (!link.provider.available) return <Unavailable link={link} />
  return (
    <ConnectRequest link={link}>
      {link.provider.authMethod === 'oauth' ? (
        <ConsentButton token={token} link={link} />
      ) : (
        <CredentialsForm token={token} link={link} onConnected={setOutcome} />
      )}
    </ConnectRequest>
  )
}

const Gone = () => (
  <Frame
    title="This link no longer works"
    mark={{ icon: 'clock' }}
    lead={
      <>
        <p>A connect link works until it is used once. After that, or when a newer one was sent or it was withdrawn, it ends.</p>
        <p>If you have connected already, there is nothing left to do.</p>
      </>
    }
    foot={
      <p>
        Otherwise check that the whole address was copied, look for a newer message with a link, or ask whoever sent you this one for
        another.
      </p>
    }
  />
)

const Expired = ({ link: { organization, requester, provider, expiresAt } }: { link: Link }) => (
  <Frame
    title="This link has expired"
    mark={{ icon: 'clock' }}
    lead={
      <>
        <p>
          {organization.name} asked for access to {provider.providerName}. The link worked until {date(expiresAt)}.
        </p>
        <p>Ask {requester ? `${requester.name} at ${organization.name}` : organization.name} for a new one. Nothing was connected.</p>
      </>
    }
  />
)

const Unavailable = ({ link: { organization, requester, provider } }: { link: Link }) => (
  <Frame
    title={`${provider.providerName} cannot be connected yet`}
    mark={{ icon: 'alert' }}
    lead={
      <p>
        Its connection is not set up on this service. Tell {requester?.name ?? organization.name}; this link stays as it is and works once
        that is done.
      </p>
    }
  />
)
