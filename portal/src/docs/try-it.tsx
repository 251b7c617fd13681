import { useQueryClient } from '@tanstack/react-query'
import { type SyntheticEvent, useState } from 'react'
import { useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Confirm } from '../design/confirm.tsx'
import { TextareaField } from '../design/field.tsx'
import { Notice } from '../design/notice.tsx'
import { Refusal } from '../design/refusal.tsx'
import { forgetSession } from '../session.ts'
import { factsOf } from './data.ts'
import { isBrowserFlow, isPassedOn, type ListedOperation, type OpenApiDocument } from './document.ts'
import { type Filled, hasJsonBody, missingOf, parsedBody, takesAnyBody } from './request.ts'
import { sendTry } from './send.ts'
import { TryAnswerView } from './try-answer.tsx'
import { TryCredentialChoice, useTryCredential } from './try-credential.tsx'
import { TryParameters } from './try-parameters.tsx'

type TryItProps = { document: OpenApiDocument; entry: ListedOperation; filled: Filled; onFill: (filled: Filled) => void }

/** The operation itself, with the reader's own permission. */
export function TryIt({ entry, filled, onFill }: TryItProps) {
  return (
    <section aria-labelledby="try-it" className="card grid grid-cols-[minmax(0,1fr)] gap-4 p-5">
      <h2 id="try-it" className="font-semibold text-large">
        Try it
      </h2>
      {isBrowserFlow(entry) ? (
        <p className="text-soft">Only a browser comes here, sent by another page, so there is nothing to try.</p>
      ) : (
        <TryForm entry={entry} filled={filled} onFill={onFill} />
      )}
    </section>
  )
}

/** What is wrong with what was filled in, before anything is sent. */
function faultOf(entry: ListedOperation, filled: Filled): string | undefined {
  const missing = missingOf(entry, filled)
  if (missing.length) return `Fill in ${missing.join(' and ')}.`
  if (hasJsonBody(entry) && filled.body.trim() && parsedBody(filled) === undefined) return 'The body is not valid JSON.'
  return undefined
}

function TryForm({ entry, filled, onFill }: Omit<TryItProps, 'document'>) {
  const { credential, ...choice } = useTryCredential(entry)
  const queries = useQueryClient()
  const [confirming, setConfirming] = useState(false)
  const [fault, setFault] = useState<string>()
  const change = useChange(() => sendTry(entry, filled, credential!))
  const send = () => {
    setConfirming(false)
    change.mutate(undefined, {
      onSuccess: ({ status }) => {
        if (status >= 400 || credential?.kind !== 'session' || !entry.operationId.startsWith('signOut')) return
        forgetSession()
        queries.clear()
      },
    })
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const wrong = credential ? faultOf(entry, filled) : 'Sign in, or paste an API key.'
    setFault(wrong)
    if (wrong) return
    if (entry.method === 'GET') send()
    else setConfirming(true)
  }
  return (
    <form className="grid grid-cols-[minmax(0,1fr)] gap-4" onSubmit={submit} noValidate autoComplete="off">
      <TryCredentialChoice entry={entry} {...choice} />
      <TryParameters entry={entry} filled={filled} onFill={onFill} withSession={credential?.kind === 'session'} />
      {(hasJsonBody(entry) || takesAnyBody(entry)) && (
        <TextareaField
          name="body"
          label={hasJsonBody(entry) ? 'Body (JSON)' : 'Body'}
          rows={Math.min(14, Math.max(3, filled.body.split('\n').length))}
          spellCheck={false}
          autoCapitalize="none"
          value={filled.body}
          onChange={(event) => onFill({ ...filled, body: event.target.value })}
        />
      )}
      {fault && <Notice tone="warn" title={fault} />}
      {change.error && <Refusal error={change.error} />}
      <div>
        <Button look="primary" type="submit" busy={change.isPending}>
          Send request
        </Button>
      </div>
      {confirming && (
        <Confirm
          title={`This changes real data in ${placeOf(entry, filled)}`}
          action="Send it"
          change={{ isPending: false, error: null }}
          onConfirm={send}
          onClose={() => setConfirming(false)}
        >
          <p>{isPassedOn(entry) ? 'The call is sent to the ad system, and may change something there.' : consequenceOf(entry)}</p>
          <p className="wrap-anywhere font-mono text-small">
            {entry.method} {entry.path}
          </p>
        </Confirm>
      )}
      {change.data && <TryAnswerView answer={change.data} />}
    </form>
  )
}

/** As the reader would call it. */
function placeOf({ path }: ListedOperation, { values: { orgSlug, workspaceSlug } }: Filled): string {
  if (path.includes('{workspaceSlug}')) return `the workspace ${workspaceSlug} of ${orgSlug}`
  if (path.includes('{orgSlug}')) return `the organization ${orgSlug}`
  return path.startsWith('/v1/me') || path.startsWith('/v1/auth') ? 'your account' : 'this service'
}

const consequenceOf = ({ operationId, summary }: ListedOperation): string =>
  `“${summary}” is carried out as if a program had sent it${
    factsOf(operationId).errors.includes('role_too_low') ? ', and recorded under the name of your session or key' : ''
  }.`
