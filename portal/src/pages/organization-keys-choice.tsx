import { useQuery } from '@tanstack/react-query'
import { type ApiKey, read } from '../api.ts'
import { Choice } from '../design/choice.tsx'
import { Time } from '../design/time.tsx'
import { plural } from '../format.ts'
import { KeyMark } from './key-mark.tsx'

export type KeysChoice = 'keep' | 'revoke'

/** The organization keys that a person created and that still work, or could: a disabled key can be enabled. */
export const useOrganizationKeys = (orgSlug: string, email: string) =>
  useQuery({
    ...read('listApiKeys', { orgSlug }),
    select: ({ apiKeys }) =>
      apiKeys.filter(
        ({ level, status, creatorEmail }) =>
          level === 'organization' && creatorEmail === email && (status === 'active' || status === 'disabled'),
      ),
  })

type Props = { keys: ApiKey[]; creator: string; value: KeysChoice; onChange: (value: KeysChoice) => void }

/** Asked before a person leaves or is removed, because these keys would go on working. */
export const OrganizationKeysChoice = ({ keys, creator, value, onChange }: Props) => (
  <div className="mt-1.5 grid gap-3 border-line border-t pt-3">
    <p>
      {creator} created {plural(keys.length, 'organization key')}:
    </p>
    <ul className="grid gap-1.5">
      {keys.map(({ id, name, role, status, lastRequest, ...key }) => (
        <li key={id} className="grid">
          <span className="flex flex-wrap items-center gap-x-2">
            <span className="wrap-anywhere font-medium text-ink">{name}</span>
            <KeyMark apiKey={{ status, ...key }} />
          </span>
          <span className="text-faint text-small">
            {role}
            {status === 'disabled' && ', disabled'} · {lastRequest ? <LastUse at={lastRequest} /> : 'never used'}
          </span>
        </li>
      ))}
    </ul>
    <Choice
      legend={`What should happen to ${keys.length === 1 ? 'it' : 'them'}?`}
      value={value}
      onChange={onChange}
      options={[
        {
          value: 'keep',
          label: 'Keep working',
          help:
            keys.length === 1
              ? 'Programs are not interrupted. Anyone who knows the key can still use it, so rotate it soon. Until you do, it can’t invite people.'
              : 'Programs are not interrupted. Anyone who knows a key can still use it, so rotate them soon. Until you do, they can’t invite people.',
        },
        {
          value: 'revoke',
          label: 'Revoke now',
          help: `Programs that use ${keys.length === 1 ? 'this key' : 'these keys'} stop working immediately.`,
        },
      ]}
    />
  </div>
)

const LastUse = ({ at }: { at: string }) => (
  <>
    last used <Time at={at} />
  </>
)
