import type { ReactNode } from 'react'
import { Icon } from '../design/icons.tsx'
import { date } from '../format.ts'
import { Frame } from './frame.tsx'
import type { Link } from './link.ts'
import { permissionsIn } from './permissions.ts'

/** Who asks, for what, and what it will make possible: before anything is entered or agreed to. */
export function ConnectRequest({ link, children }: { link: Link; children: ReactNode }) {
  const { organization, workspace, requester, provider, expectedAccount, expiresAt } = link
  return (
    <Frame
      title={`Connect ${provider.providerName} with ${organization.name}`}
      lead={
        <p>
          {requester ? `${requester.name} at ` : ''}
          {organization.name} asks for access to your advertising account, for the work on{' '}
          <strong className="text-ink">{workspace.name}</strong>.
        </p>
      }
      foot={
        <>
          <p>
            Not expecting this? Close the page and nothing happens. Ask {requester?.name ?? organization.name} by a way you know, not by
            replying to the message with the link.
          </p>
          <p>The link works once, until {date(expiresAt)}.</p>
        </>
      }
    >
      <section className="card mt-6 p-5 sm:p-6">
        <h2 className="font-semibold">What {organization.name} will be able to do</h2>
        <ul className="mt-3 grid gap-2">
          {permissions(link).map((permission) => (
            <li key={permission} className="flex gap-2.5">
              <Icon name="key" className="mt-[3px] text-accent" />
              <span className="wrap-anywhere min-w-0">{permission}</span>
            </li>
          ))}
        </ul>
        <p className="mt-3 text-small text-soft">
          You can withdraw the access at any time at {provider.providerName}
          {provider.authMethod === 'credentials' && ', by changing the login or removing the user'}.
        </p>
        {expectedAccount && (
          <p className="wrap-anywhere mt-4 rounded-base bg-accent-tint px-3.5 py-3">
            Connect with the account <strong>{expectedAccount}</strong>. Another one is refused.
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
          ? `What you allow on the page of ${providerName}, which lists it before you agree`
          : `Whatever this login may do at ${providerName}: choose a user with no more rights than the work needs`,
      ]
