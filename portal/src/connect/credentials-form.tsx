import { useEffect, useState } from 'react'
import { Button } from '../design/button.tsx'
import { Form } from '../design/form.tsx'
import { Notice } from '../design/notice.tsx'
import { ProviderFields } from '../design/provider-fields.tsx'
import { hrefOf, judged } from '../destination.ts'
import { type AskedProvider, type ConnectOutcome, helpful } from './link.ts'
import { useSpeech } from './speech.tsx'
import { WhyNot } from './why-not.tsx'

export type CredentialsFormProps = {
  provider: AskedProvider
  organization: string
  expectedAccount: string | null
  submit: (fields: Record<string, string>) => Promise<ConnectOutcome>
  /** Whether the service kept the access although it is not usable yet: a setting is still missing. */
  isKept: () => Promise<boolean>
  onConnected: (outcome: ConnectOutcome) => void
}

/**
 * The form of an ad system without a consent screen. A refusal leaves what was entered, except the secrets;
 * where nobody could check them, these stay as well.
 */
export function CredentialsForm(props: CredentialsFormProps) {
  const { provider, submit, isKept, onConnected } = props
  const { words } = useSpeech()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const [refused, setRefused] = useState<ConnectOutcome>()
  const [attempt, setAttempt] = useState(0)
  const connect = async (fields: Record<string, string>) => {
    setBusy(true)
    setError(undefined)
    setRefused(undefined)
    try {
      const outcome = await submit(fields)
      const { status, lastError } = outcome
      if ((status === 'active' && lastError === null) || (status === 'error' && lastError === null && (await isKept())))
        return onConnected(outcome)
      setRefused(outcome)
      if (lastError === null) setAttempt(attempt + 1)
    } catch (problem) {
      setError(problem)
    }
    setBusy(false)
  }
  return (
    <Form<Record<string, string>> error={error} busy={busy} onSubmit={(fields) => void connect(fields)}>
      {refused && (
        <div ref={intoSight}>
          <Refused outcome={refused} {...props} />
        </div>
      )}
      <ProviderFields fields={helpful(provider, words)} attempt={attempt} />
      <div className="grid gap-2">
        <Button type="submit" look="primary" busy={busy} className="w-full">
          {busy ? words.credentials.checking(provider.providerName) : words.credentials.connect}
        </Button>
        <p className="text-center text-faint text-small" role="status">
          {busy ? <Patience /> : words.credentials.checked(provider.providerName)}
        </p>
      </div>
    </Form>
  )
}

/** On a phone the button is below the fold that the answer stands above. */
const intoSight = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'center' })

function Refused({
  outcome,
  provider: { providerName },
  organization,
  expectedAccount,
}: CredentialsFormProps & { outcome: ConnectOutcome }) {
  const { failed, credentials } = useSpeech().words
  const { statusDetail, lastError, returnUrl } = outcome
  const passing = lastError !== null
  return (
    <Notice
      tone={passing ? 'warn' : 'bad'}
      title={passing ? failed.notYet(providerName) : failed.title(providerName)}
      detail={
        <>
          <WhyNot
            failure={{ ...outcome, detail: lastError ?? statusDetail }}
            system={providerName}
            organization={organization}
            expectedAccount={expectedAccount}
          />
          {passing && credentials.stays}
        </>
      }
    >
      {returnUrl && (
        <a href={hrefOf(judged(returnUrl))} className="link">
          {failed.without(new URL(returnUrl).host)}
        </a>
      )}
    </Notice>
  )
}

function Patience() {
  const { seconds, halfMinute } = useSpeech().words.credentials
  const [long, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), 4000)
    return () => clearTimeout(timer)
  }, [])
  return long ? halfMinute : seconds
}
