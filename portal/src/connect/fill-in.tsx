import type { Output } from '@adjoin/contract/operations'
import { ProblemError } from '@adjoin/contract/problem-error'
import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { Form } from '../design/form.tsx'
import { Notice } from '../design/notice.tsx'
import { ProviderFields } from '../design/provider-fields.tsx'
import { client } from './client.ts'
import { Frame } from './frame.tsx'
import { useSpeech } from './speech.tsx'
import { sentenceOf } from './why-not.tsx'

export type FillInProps = {
  result: string
  data: Output<'getConnectResult'>
  /** It is filled in: by this client, or by the agency meanwhile. */
  onDone: () => void
  /** The agency adds it later. */
  onSkip: () => void
}

/** Right after access was given: what no list of accounts can answer. */
export function FillIn({ result, data: { provider, providerName, organization, missingSettings }, onDone, onSkip }: FillInProps) {
  const { words } = useSpeech()
  const { settings: said } = words
  const [{ busy = false, failure, error }, setState] = useState<{
    busy?: boolean
    failure?: Output<'submitConnectSettings'>
    error?: unknown
  }>({})
  const go = (fields: Record<string, string>) => {
    setState({ busy: true })
    client.submitConnectSettings({ result }, fields).then(
      (answer) => (answer.reason === null ? onDone() : setState({ failure: answer })),
      (problem) => (problem instanceof ProblemError && problem.code === 'settings_complete' ? onDone() : setState({ error: problem })),
    )
  }
  const help = words.help as Record<string, string>
  return (
    <Frame title={said.title} lead={<p>{said.lead(organization.name, providerName)}</p>}>
      <div className="card mt-6 grid gap-4 p-5">
        <Form<Record<string, string>> error={error} busy={busy} onSubmit={go}>
          {failure && <Notice tone="warn" title={said.failed} detail={sentenceOf(failure, words)(providerName, organization.name)} />}
          <ProviderFields fields={missingSettings.map((field) => ({ ...field, help: help[`${provider}.${field.name}`] ?? field.help }))} />
          <Button type="submit" look="primary" busy={busy} className="w-full">
            {busy ? words.credentials.checking(providerName) : said.button}
          </Button>
        </Form>
        <Button look="quiet" onClick={onSkip}>
          {said.skip(organization.name)}
        </Button>
      </div>
    </Frame>
  )
}
