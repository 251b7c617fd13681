import type { IdentityProvider } from '@adjoin/contract/account'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read } from '../api.ts'
import { Button } from '../design/button.tsx'
import { absolute } from '../destination.ts'

const names: Record<IdentityProvider, string> = { google: 'Google', microsoft: 'Microsoft' }

/** The providers that are set up here; none while that is not known. */
export const useProviders = (): IdentityProvider[] =>
  useQuery({ ...read('getVersion'), staleTime: Number.POSITIVE_INFINITY }).data?.signInProviders ?? []

/** Where a provider's sign-in begins. It comes back to a page of ours that knows what became of a sign-up. */
export function providerStart(provider: IdentityProvider, { to, loginHint }: { to?: string | undefined; loginHint?: string } = {}): string {
  const callbackURL = absolute(`/signin/done${to ? `?${new URLSearchParams({ to })}` : ''}`)!
  return `/v1/auth/${provider}?${new URLSearchParams({ callbackURL, ...(loginHint && { loginHint }) })}`
}

/** To sign in: a link each. */
export function ProviderLinks({ to }: { to?: string | undefined }) {
  return (
    <Providers>
      {(provider) => (
        <Button key={provider} asChild>
          <a href={providerStart(provider, { to })}>
            <Mark of={provider} /> Continue with {names[provider]}
          </a>
        </Button>
      )}
    </Providers>
  )
}

/** To sign up: a second way of sending the same form. */
export const ProviderSubmits = () => (
  <Providers>
    {(provider) => (
      <Button key={provider} type="submit" name="provider" value={provider}>
        <Mark of={provider} /> Sign up with {names[provider]}
      </Button>
    )}
  </Providers>
)

function Providers({ children }: { children: (provider: IdentityProvider) => ReactNode }) {
  const providers = useProviders()
  if (!providers.length) return null
  return (
    <div className="grid gap-2.5">
      <p className="flex items-center gap-3 text-faint text-small before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      {providers.map(children)}
    </div>
  )
}

const Mark = ({ of }: { of: IdentityProvider }) => (
  <svg viewBox="0 0 24 24" className="size-4" aria-hidden="true">
    {marks[of].map(([fill, path]) => (
      <path key={fill} fill={fill} d={path} />
    ))}
  </svg>
)

const marks: Record<IdentityProvider, [fill: string, path: string][]> = {
  google: [
    ['#4285f4', 'M22.56 12.25c0-.78-.07-1.53-.2-2.25H12v4.26h5.92c-.26 1.37-1.04 2.53-2.21 3.31v2.77h3.57c2.08-1.92 3.28-4.74 3.28-8.09z'],
    [
      '#34a853',
      'M12 23c2.97 0 5.46-.98 7.28-2.66l-3.57-2.77c-.98.66-2.23 1.06-3.71 1.06-2.86 0-5.29-1.93-6.16-4.53H2.18v2.84C3.99 20.53 7.7 23 12 23z',
    ],
    [
      '#fbbc05',
      'M5.84 14.09c-.22-.66-.35-1.36-.35-2.09s.13-1.43.35-2.09V7.07H2.18C1.43 8.55 1 10.22 1 12s.43 3.45 1.18 4.93l2.85-2.22.81-.62z',
    ],
    [
      '#ea4335',
      'M12 5.38c1.62 0 3.06.56 4.21 1.64l3.15-3.15C17.45 2.09 14.97 1 12 1 7.7 1 3.99 3.47 2.18 7.07l3.66 2.84c.87-2.6 3.3-4.53 6.16-4.53z',
    ],
  ],
  microsoft: [
    ['#f25022', 'M2 2h9.5v9.5H2z'],
    ['#7fba00', 'M12.5 2H22v9.5h-9.5z'],
    ['#00a4ef', 'M2 12.5h9.5V22H2z'],
    ['#ffb900', 'M12.5 12.5H22V22h-9.5z'],
  ],
}
