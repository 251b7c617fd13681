import { ProblemError } from '@adjoin/contract/client'
import { atLeast } from '@adjoin/contract/roles'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type CatalogueProvider, type IntegrationParams, useChange } from '../api.ts'
import { type CallExample, type CallMode, cliTo, curlTo, examplesOf, isKnownRead, typescriptTo, whyNotCallable } from '../call-words.ts'
import { Button } from '../design/button.tsx'
import { CodeBlock } from '../design/code-block.tsx'
import { Confirm } from '../design/confirm.tsx'
import { SelectField, TextareaField, TextField } from '../design/field.tsx'
import { Notice } from '../design/notice.tsx'
import { Tabs } from '../design/tabs.tsx'
import { hrefOf, judged } from '../destination.ts'
import type { Integration } from '../integration-words.ts'
import type { OwnRoles } from '../may.ts'
import { explain } from '../problem.ts'
import { type DraftCall, hasBody, runCall } from '../run-call.ts'
import { CallAnswerView } from './call-answer.tsx'

type Props = { place: IntegrationParams; integration: Integration; provider: CatalogueProvider; standing: OwnRoles }

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const draftOf = ({ method, path, body }: CallExample): DraftCall => ({ method, path, body: body ? JSON.stringify(body, null, 2) : '' })

/** The ad system's first calls: run here, or taken along as a command or a program. */
export function TryCall({ place, integration, provider, standing }: Props) {
  const examples = examplesOf(provider)
  const [draft, setDraft] = useState(() => (examples[0] ? draftOf(examples[0]) : { method: 'GET', path: '', body: '' }))
  const [confirming, setConfirming] = useState(false)
  const run = useChange(
    (call: DraftCall) => runCall(place, call),
    () => setConfirming(false),
  )
  const edit = (change: Partial<DraftCall>) => setDraft({ ...draft, ...change })
  const pick = (at: string) => {
    run.reset()
    setDraft(draftOf(examples[Number(at)]!))
  }
  const picked = examples.findIndex((example) => example.method === draft.method && draftOf(example).path === draft.path)
  const mayChange = integration.callPolicy.mode === 'full' && standing.workspace !== undefined && atLeast(standing.workspace, 'member')
  const asks = mayChange && !isKnownRead(examples, draft)
  const notYet = whyNotCallable(integration)
  const { providerName } = provider
  return (
    <div className="grid min-w-0 gap-5">
      <div className="grid gap-1">
        <h3 className="font-medium">Try it</h3>
        <p className="text-small text-soft">
          {notYet ?? 'Calls from this page run with your own role, without a key.'} Replace any IDs with your own. You’ll find other paths
          in the{' '}
          <a href={hrefOf(judged(provider.documentationUrl))} target="_blank" rel="noreferrer" className="link">
            {providerName} documentation
          </a>
          .
        </p>
      </div>
      <form
        className="grid min-w-0 gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (run.isPending || notYet) return
          if (asks) setConfirming(true)
          else run.mutate(draft)
        }}
      >
        {examples.length > 0 && (
          <SelectField
            name="example"
            label="Example"
            value={picked < 0 ? '' : String(picked)}
            onChange={(event) => pick(event.target.value)}
          >
            {picked < 0 && <option value="">Your own call</option>}
            {examples.map(({ title }, at) => (
              <option key={title} value={at}>
                {title}
              </option>
            ))}
          </SelectField>
        )}
        <div className="grid gap-4 sm:grid-cols-[7.5rem_1fr]">
          <SelectField name="method" label="Method" value={draft.method} onChange={(event) => edit({ method: event.target.value })}>
            {METHODS.map((method) => (
              <option key={method}>{method}</option>
            ))}
          </SelectField>
          <TextField
            name="path"
            label="Path"
            value={draft.path}
            onChange={(event) => edit({ path: event.target.value })}
            className="font-mono"
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            required
          />
        </div>
        {hasBody(draft.method) && (
          <TextareaField
            name="body"
            label="Body (JSON)"
            rows={Math.min(12, draft.body.split('\n').length + 2)}
            value={draft.body}
            onChange={(event) => edit({ body: event.target.value })}
            spellCheck={false}
          />
        )}
        <div>
          <Button type="submit" look="primary" busy={run.isPending} disabled={notYet !== undefined}>
            {asks ? 'Run call…' : 'Run call'}
          </Button>
        </div>
      </form>
      {run.error && !confirming && <Notice tone="bad" {...explainCall(run.error, integration.callPolicy.mode)} />}
      {run.data && !run.isPending && <CallAnswerView answer={run.data} providerName={providerName} />}
      {confirming && (
        <Confirm
          title={`Change something at ${providerName}?`}
          action="Run call"
          change={run}
          onConfirm={() => run.mutate(draft)}
          onClose={() => setConfirming(false)}
        >
          <p>
            This call may create, change or delete something in your client’s account, and can cost money. If it does, it’s recorded in the
            audit trail under your name.
          </p>
          <p className="wrap-anywhere font-mono text-small">
            {draft.method} {draft.path}
          </p>
        </Confirm>
      )}
      <TakeAlong place={place} draft={draft} />
    </div>
  )
}

/** What is not an address fails before it is sent. If the service refuses, this page knows who can allow it. */
function explainCall(error: Error, mode: CallMode): ReturnType<typeof explain> {
  if (error instanceof TypeError && error.message.startsWith('Not an address'))
    return { title: 'This isn’t a valid path', detail: 'Enter a path from the documentation, or a full https address of the ad system.' }
  if (!(error instanceof ProblemError) || error.code !== 'change_refused') return explain(error)
  const detail =
    mode === 'full'
      ? 'Your role only allows reading. Ask an admin of this workspace to make you a member.'
      : 'This connection is read only. An admin of this workspace can allow changes above.'
  return { title: 'This call would change something', detail }
}

function TakeAlong({ place, draft }: { place: IntegrationParams; draft: DraftCall }) {
  const [kind, setKind] = useState('curl')
  const call = { ...draft, title: '', body: hasBody(draft.method) && draft.body.trim() ? draft.body : undefined }
  const texts: Record<string, string> = {
    curl: curlTo(place, location.origin, call),
    CLI: cliTo(place, call),
    TypeScript: typescriptTo(place, location.origin, call),
  }
  return (
    <div className="grid min-w-0 gap-3 border-line border-t pt-5">
      <div className="grid gap-1">
        <h3 className="font-medium">Use it in a program</h3>
        <p className="text-small text-soft">
          The same call, with a key from{' '}
          <Link to="/organizations/$orgSlug/api-keys" params={place} className="link">
            API keys
          </Link>
          .
        </p>
      </div>
      <Tabs label="Copy the call as" names={Object.keys(texts)} value={kind} onChange={setKind}>
        <CodeBlock text={texts[kind]!} copy={`Copy ${kind}`} />
      </Tabs>
    </div>
  )
}
