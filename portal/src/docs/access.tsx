import { Facts } from '../design/card.tsx'
import type { DocumentedAccess, DocumentedLimit, ListedOperation } from './document.ts'
import { TextLink } from './prose.tsx'

const classes: [keyof DocumentedAccess, string][] = [
  ['session', 'Session'],
  ['userKey', 'User key'],
  ['organizationKey', 'Organization key'],
  ['workspaceKey', 'Workspace key'],
]

function least(value: string, place: string): string {
  if (value === '-') return 'Not accepted'
  if (value === 'any') return 'Any'
  if (value === 'itself') return 'About itself'
  if (value === 'organization admin') return 'Admin of the organization'
  return `${value.charAt(0).toUpperCase()}${value.slice(1)} of the ${place}, or higher`
}

/** The lowest role that each kind of credential needs. */
export function Access({ entry }: { entry: ListedOperation }) {
  const access = entry['x-access']
  if (!access) return <p className="text-soft">Anyone can call this. No credential is needed, and one that is sent is ignored.</p>
  return (
    <div className="grid gap-3">
      <Facts facts={classes.map(([name, label]) => [label, least(String(access[name]), access.in)])} />
      {access.grants && (
        <p className="text-small text-soft">
          An organization key whose creator is no longer an admin is refused with{' '}
          <TextLink to="/docs/errors/creator_gone">creator_gone</TextLink>, because this lets people in.
        </p>
      )}
    </div>
  )
}

const spans: Record<number, string> = { 60: 'a minute', 600: 'in 10 minutes', 3600: 'an hour', 86400: 'a day' }
const counted: Record<string, string> = {
  address: 'from one address',
  email: 'for one email address',
  token: 'with one link',
  key: 'with one API key',
  person: 'by one person',
  organization: 'in one organization',
  invitation: 'for one invitation',
  integration: 'for one integration',
  webhook: 'for one webhook',
  request: 'for one request',
}

export const limitInWords = ({ by, limit, seconds }: DocumentedLimit): string =>
  `${limit.toLocaleString('en')} ${spans[seconds] ?? `in ${seconds} seconds`} ${counted[by] ?? `by ${by}`}`
