import { permissionsIn } from '@adjoin/contract/permissions'
import type { ReactNode } from 'react'
import { Icon } from '../design/icons.tsx'
import { date } from '../format.ts'
import { Frame } from './frame.tsx'
import type { Link } from './link.ts'
import { softwareSentence } from './software-sentence.ts'

/** Who asks, for what, and what it will make possible: before anything is entered or agreed to. */
export function ConnectRequest({ link, children }: { link: Link; children: ReactNode }) {
  const { organization, workspace, requester, provider, expectedAccount, expiresAt } = link
  return (
    <Frame
      title={`Connect ${provider.providerName} to ${organization.name}`}
      lead={
        <p>
          {requester ? `${requester.name} at ` : ''}
          {organization.name} is asking for access to your {provider.providerName} account, to work on{' '}
          <strong className="text-ink">{workspace.name}</strong>.
        </p>
      }
      foot={
        <>
          <p>
            Not expecting this? Close this page and nothing happens. Contact {requester?.name ?? organization.name} through a channel you
            trust; don’t reply to the message that contained this link.
          </p>
          <p>This link works once and expires on {date(expiresAt)}.</p>
        </>
      }
    >
      <section className="card mt-6 p-5 sm:p-6">
        <h2 className="font-semibold">Access that {organization.name} is asking for</h2>
        <ul className="mt-3 grid gap-2">
          {permissions(link).map((permission) => (
            <li key={permission} className="flex gap-2.5">
              <Icon name="key" className="mt-[3px] text-accent" />
              <span className="wrap-anywhere min-w-0">{permission}</span>
            </li>
          ))}
        </ul>
        <p className="mt-3 flex gap-2.5 border-line border-t pt-3">
          <Icon name="shield" className="mt-[3px] text-accent" />
          <span className="wrap-anywhere min-w-0">{softwareSentence(link)}</span>
        </p>
        <p className="mt-3 text-small text-soft">
          {provider.authMethod === 'credentials'
            ? `You can revoke access at any time: change the credentials or remove the user at ${provider.providerName}.`
            : `You can revoke access at any time at ${provider.providerName}.`}
        </p>
        {expectedAccount && (
          <p className="wrap-anywhere mt-4 rounded-base bg-accent-tint px-3.5 py-3">
            Use the account <strong>{expectedAccount}</strong>. Other accounts won’t be accepted.
          </p>
        )}
        <div className="mt-5 border-line border-t pt-5">{children}</div>
      </section>
    </Frame>
  )
}

const permissions = ({ provider: { scopes, authMethod, providerName } }: Link): string[] =>
  authMethod === 'oauth' && scopes.length
    ? permissionsIn(scopes)
    : [
        authMethod === 'oauth'
          ? `Whatever you allow at ${providerName}: you’ll see the list before you agree`
          : `Everything this login can do at ${providerName}: choose a user with only the permissions needed`,
      ]
