import { permissionsWith } from '@adjoin/contract/scopes'
import type { ReactNode } from 'react'
import { Icon } from '../design/icons.tsx'
import type { Link } from './link.ts'
import { Emphasized, type Speech, useSpeech } from './speech.tsx'

type Asked = Pick<Link, 'expectedAccount' | 'callPolicy' | 'accessUntil'> & { provider: Omit<Link['provider'], 'gateway'> }

/** What is asked for, and what it will make possible: before anything is entered or agreed to. */
export function AccessAsked({ asked, organization, children }: { asked: Asked; organization: string; children: ReactNode }) {
  const { words, date, join } = useSpeech()
  const { provider, expectedAccount, callPolicy, accessUntil } = asked
  const { ask, software } = words
  return (
    <section className="card mt-6 p-5 sm:p-6">
      <h2 className="wrap-anywhere font-semibold">{ask.access(organization)}</h2>
      <ul className="mt-3 grid gap-2">
        {permissions(asked, words).map((permission) => (
          <li key={permission} className="flex gap-2.5">
            <Icon name="key" className="mt-[3px] text-accent" />
            <span className="wrap-anywhere min-w-0">{permission}</span>
          </li>
        ))}
      </ul>
      <p className="mt-3 flex gap-2.5 border-line border-t pt-3">
        <Icon name="shield" className="mt-[3px] text-accent" />
        <span className="wrap-anywhere min-w-0">{join(software[callPolicy.mode](organization), software.later(organization))}</span>
      </p>
      {accessUntil && (
        <p className="mt-3 flex gap-2.5">
          <Icon name="clock" className="mt-[3px] text-accent" />
          <span>{ask.until(date(accessUntil))}</span>
        </p>
      )}
      <p className="mt-3 text-small text-soft">
        {(provider.authMethod === 'credentials' ? ask.revokeLogin : ask.revoke)(provider.providerName)}
      </p>
      {expectedAccount && (
        <p className="wrap-anywhere mt-4 rounded-base bg-accent-tint px-3.5 py-3">
          <Emphasized say={ask.account} name={expectedAccount} />
        </p>
      )}
      <div className="mt-5 border-line border-t pt-5">{children}</div>
    </section>
  )
}

const permissions = ({ provider: { scopes, authMethod, providerName } }: Asked, words: Speech['words']): string[] =>
  authMethod === 'oauth' && scopes.length
    ? permissionsWith(words.permissions, scopes)
    : [(authMethod === 'oauth' ? words.ask.byConsent : words.ask.byLogin)(providerName)]
