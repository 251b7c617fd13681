import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { read } from '../api.ts'
import { Button } from '../design/button.tsx'
import { SecretField } from '../design/field.tsx'
import { maybeSignedIn } from '../session.ts'
import type { ListedOperation } from './document.ts'
import type { TryCredential } from './send.ts'
import { setTryKey, useTryKey } from './try-key.ts'

type Kind = 'session' | 'key'

/** Which kinds the operation takes; none for what anyone may call. */
function kindsOf({ 'x-access': access }: ListedOperation): Kind[] {
  if (!access) return []
  const keys = [access.userKey, access.organizationKey, access.workspaceKey].some((least) => least !== '-')
  return [...(access.session === '-' ? [] : (['session'] as const)), ...(keys ? (['key'] as const) : [])]
}

type CredentialState = { kinds: Kind[]; kind: Kind | undefined; onKind: (kind: Kind) => void; email: string | undefined }

/** What the request is sent with; undefined as long as the reader has nothing that the operation takes. */
export function useTryCredential(entry: ListedOperation): CredentialState & { credential: TryCredential | undefined } {
  const key = useTryKey()
  const session = useQuery({ ...read('getSession'), enabled: maybeSignedIn() })
  const email = session.data?.user.email
  const kinds = kindsOf(entry)
  const [chosen, setChosen] = useState<Kind>()
  const usual = key || (!email && !session.isLoading) ? 'key' : 'session'
  const kind = [chosen, usual as Kind, kinds[0]].find((one) => one && kinds.includes(one))
  const state = { kinds, kind, onKind: setChosen, email }
  if (!kind) return { ...state, credential: { kind: 'none' } }
  if (kind === 'key') return { ...state, credential: key ? { kind, key } : undefined }
  return { ...state, credential: email ? { kind } : undefined }
}

const labels: Record<Kind, string> = { session: 'My session', key: 'An API key' }

export function TryCredentialChoice({ entry, kinds, kind, onKind, email }: CredentialState & { entry: ListedOperation }) {
  if (!kind) return <p className="text-soft">No credential is needed.</p>
  return (
    <fieldset className="grid gap-2.5">
      <legend className="mb-1.5 font-medium">Send it with</legend>
      {kinds.length > 1 ? (
        <div className="flex flex-wrap gap-x-5 gap-y-2">
          {kinds.map((one) => (
            <label key={one} className="flex items-center gap-2">
              <input
                type="radio"
                name={`credential-${entry.operationId}`}
                checked={one === kind}
                onChange={() => onKind(one)}
                className="accent-accent"
              />
              {labels[one]}
            </label>
          ))}
        </div>
      ) : (
        <p className="text-small text-soft">
          {kind === 'session' ? 'API keys are not accepted here.' : 'Only API keys are accepted here.'}
        </p>
      )}
      {kind === 'key' ? <KeyField /> : <SessionNote email={email} />}
    </fieldset>
  )
}

function KeyField() {
  const key = useTryKey()
  return (
    <div className="grid gap-2">
      <SecretField
        name="api-key"
        label="API key"
        help="Kept in this page’s memory until you reload. Never stored, and never in the examples."
        placeholder="adj_…"
        value={key}
        onChange={(event) => setTryKey(event.target.value)}
      />
      {key && (
        <div>
          <Button size="small" onClick={() => setTryKey('')}>
            Forget this key
          </Button>
        </div>
      )}
    </div>
  )
}

function SessionNote({ email }: { email: string | undefined }) {
  const { pathname } = useLocation()
  if (email)
    return (
      <p className="text-small text-soft">
        Signed in as <span className="wrap-anywhere text-ink">{email}</span>.
      </p>
    )
  return (
    <p className="text-soft">
      <Link to="/signin" search={{ callbackURL: pathname }} className="link">
        Sign in
      </Link>{' '}
      to try it with your own permissions. You’ll come back here.
    </p>
  )
}
