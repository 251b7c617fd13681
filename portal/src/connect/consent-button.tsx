import { useEffect, useState } from 'react'
import { Button } from '../design/button.tsx'
import { Form } from '../design/form.tsx'
import { Icon } from '../design/icons.tsx'
import { ProviderFields } from '../design/provider-fields.tsx'
import { judged, leaveFor } from '../destination.ts'
import { type AskedProvider, helpful } from './link.ts'
import { useSpeech } from './speech.tsx'

type Props = { provider: AskedProvider; start: (fields: Record<string, string>) => Promise<{ authorizationUrl: string }> }

/** On to the ad system's own consent screen; what it needs to know first is asked here. */
export function ConsentButton({ provider, start }: Props) {
  const { words } = useSpeech()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    // Whoever comes back by the browser's button finds the page as it was left: still waiting.
    const onShow = () => setBusy(false)
    addEventListener('pageshow', onShow)
    return () => removeEventListener('pageshow', onShow)
  }, [])
  const go = async (fields: Record<string, string>) => {
    setBusy(true)
    setError(undefined)
    try {
      const { authorizationUrl } = await start(fields)
      leaveFor(judged(authorizationUrl))
    } catch (problem) {
      setError(problem)
      setBusy(false)
    }
  }
  return (
    <Form<Record<string, string>> error={error} busy={busy} onSubmit={(fields) => void go(fields)}>
      <ProviderFields fields={helpful(provider, words)} />
      <div className="grid gap-2">
        <Button type="submit" look="primary" busy={busy} className="w-full">
          {words.consent.next(provider.providerName)} {!busy && <Icon name="next" />}
        </Button>
        <p className="text-center text-faint text-small">{words.consent.password}</p>
      </div>
    </Form>
  )
}
