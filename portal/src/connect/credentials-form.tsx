import { ProblemError } from '@adjoin/contract/client'
import type { Output } from '@adjoin/contract/operations'
import { useEffect, useState } from 'react'
import { Button } from '../design/button.tsx'
import { Form } from '../design/form.tsx'
import { Notice } from '../design/notice.tsx'
import { ProviderFields } from '../design/provider-fields.tsx'
import { hrefOf, judged } from '../destination.ts'
import { client, type Link } from './link.ts'
import { whyNotConnected } from './why-not-connected.ts'

type SubmitOutcome = Output<'submitConnectCredentials'>
type Props = { token: string; link: Link; onConnected: (outcome: SubmitOutcome) => void }

/**
 * The form of an ad system without a consent screen.
 * A refusal leaves what was entered, except the secrets.
 */
export function CredentialsForm({ token, link, onConnected }: Props) {
  const { provider } = link
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const [refused, setRefused] = useState<SubmitOutcome>()
  const [attempt, setAttempt] = useState(0)
  const connect = async (fields: Record<string, string>) => {
    setBusy(true)
    setError(undefined)
    setRefused(undefined)
    try {
      const outcome = await client.submitConnectCredentials({ token }, fields)
      if (await isConnected(token, outcome)) return onConnected(outcome)
      setRefused(outcome)
      setAttempt(attempt + 1)
    } catch (problem) {
      setError(problem)
    }
    setBusy(false)
  }
  return (
    <Form<Record<string, string>> error={error} busy={busy} onSubmit={(fields) => void connect(fields)}>
      {refused && (
        <div ref={intoSight}>
          <Refused {...refused} link={link} />
        </div>
      )}
      <ProviderFields fields={provider.connectFields} attempt={attempt} />
      <div className="grid gap-2">
        <Button type="submit" look="primary" busy={busy} className="w-full">
          {busy ? `Checking with ${provider.providerName}…` : 'Connect'}
        </Button>
        <p className="text-center text-faint text-small" role="status">
          {busy ? <Patience /> : `We check what you enter with ${provider.providerName} right away and store it encrypted.`}
        </p>
      </div>
    </Form>
  )
}

/** On a phone the button is below the fold that the answer stands above. */
const intoSight = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'center' })

/** The access is kept exactly when the link has been spent: also while a setting is missing. */
async function isConnected(token: string, { status, lastError }: SubmitOutcome): Promise<boolean> {
  if (status === 'active' && lastError === null) return true
  if (status !== 'error' || lastError !== null) return false
  return client.getConnectLink({ token }).then(
    () => false,
    (problem) => problem instanceof ProblemError && problem.status === 404,
  )
}

function Refused({ statusDetail, lastError, returnUrl, reason, mustAct, link }: SubmitOutcome & { link: Link }) {
  const passing = lastError !== null
  const { providerName } = link.provider
  const names = { providerName, organization: link.organization.name }
  return (
    <Notice
      tone={passing ? 'warn' : 'bad'}
      title={passing ? `${providerName} is not connected yet` : `${providerName} was not connected`}
      detail={whyNotConnected({ reason, mustAct, detail: lastError ?? statusDetail }, names)}
    >
      {returnUrl && (
        <a href={hrefOf(judged(returnUrl))} className="link">
          Back to {new URL(returnUrl).host} without connecting
        </a>
      )}
    </Notice>
  )
}

function Patience() {
  const [long, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), 4000)
    return () => clearTimeout(timer)
  }, [])
  return long ? 'This can take up to 30 seconds. Keep this page open.' : 'This takes a few seconds.'
}
