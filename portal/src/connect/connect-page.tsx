import { ProblemError } from '@adjoin/contract/problem-error'
import { type ReactNode, useEffect, useState } from 'react'
import { AccessAsked } from './access-asked.tsx'
import { client } from './client.ts'
import { ConsentButton } from './consent-button.tsx'
import { Doorway } from './doorway.tsx'
import { Frame, Gone, Trouble, Waiting } from './frame.tsx'
import { CredentialsForm } from './lazy-form.tsx'
import { Result } from './lazy-result.tsx'
import { type ConnectOutcome, type Link, whoAsks } from './link.ts'
import { Emphasized, useSpeech } from './speech.tsx'
import { useRead } from './use-read.ts'

/** `/connect/{token}`: what an agency asks of its client, and the way to give it. */
export function ConnectPage({ token }: { token: string }) {
  const { words, date, suggest } = useSpeech()
  const { data: link, error, again } = useRead(() => client.getConnectLink({ token }))
  const [outcome, setOutcome] = useState<ConnectOutcome>()
  const language = link?.language ?? null
  useEffect(() => suggest(language), [suggest, language])
  if (error) return <Trouble error={error} again={again} gone={<Gone />} />
  if (!link) return <Waiting />
  const { organization, provider } = link
  if (outcome) return <Result result={outcome.result} />
  if (link.state === 'expired')
    return (
      <Doorway
        who={whoAsks(link, words)}
        lead={words.expired.lead(organization.name, provider.providerName, date(link.expiresAt))}
        ask={() => client.askForNewConnectLink({ token })}
      />
    )
  if (!provider.available) return <Unavailable link={link} />
  return (
    <Asking link={link}>
      {provider.authMethod === 'oauth' ? (
        <ConsentButton provider={provider} start={(fields) => client.startConnectOAuth({ token }, fields)} />
      ) : (
        <CredentialsForm
          provider={provider}
          organization={organization.name}
          expectedAccount={link.expectedAccount}
          submit={(fields) => client.submitConnectCredentials({ token }, fields)}
          isKept={() => isSpent(token)}
          onConnected={setOutcome}
        />
      )}
    </Asking>
  )
}

/** The access is kept exactly when the link has been spent. */
const isSpent = (token: string): Promise<boolean> =>
  client.getConnectLink({ token }).then(
    () => false,
    (problem) => problem instanceof ProblemError && problem.status === 404,
  )

/** Who asks, and for whom. */
function Asking({ link, children }: { link: Link; children: ReactNode }) {
  const { words, date } = useSpeech()
  const { organization, workspace, requester, provider, expiresAt } = link
  const { ask } = words
  return (
    <Frame
      title={ask.title(provider.providerName, organization.name)}
      lead={
        <p>
          <Emphasized say={(name) => ask.lead(whoAsks(link, words), provider.providerName, name)} name={workspace.name} />
        </p>
      }
      foot={
        <>
          <p>{ask.notExpected(requester?.name ?? organization.name)}</p>
          <p>{ask.once(date(expiresAt))}</p>
        </>
      }
    >
      <AccessAsked asked={link} organization={organization.name}>
        {children}
      </AccessAsked>
    </Frame>
  )
}

function Unavailable({ link: { organization, requester, provider } }: { link: Link }) {
  const { unavailable } = useSpeech().words
  return (
    <Frame
      title={unavailable.title(provider.providerName)}
      mark={{ icon: 'alert' }}
      lead={<p>{unavailable.lead(provider.providerName, requester?.name ?? organization.name)}</p>}
    />
  )
}
