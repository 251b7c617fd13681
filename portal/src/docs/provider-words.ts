import type { ProviderFacts } from './data.ts'

export const kinds: Record<ProviderFacts['category'], string> = {
  wg: 'Ad networks and walled gardens',
  dsp: 'Buying (DSP)',
  ssp: 'Selling and ad serving (SSP)',
}

export const ways: Record<ProviderFacts['authMethod'], string> = {
  oauth: 'The client consents on the ad system’s own screen',
  credentials: 'The client enters credentials in a form',
}

export function duration(seconds: number): string {
  const [value, unit] =
    seconds < 3600 ? [seconds / 60, 'minute'] : seconds < 86_400 * 2 ? [seconds / 3600, 'hour'] : [seconds / 86_400, 'day']
  const rounded = Math.round(value as number)
  return `${rounded} ${unit}${rounded === 1 ? '' : 's'}`
}

/** How long access lasts, and what keeps it alive. */
export function lifetimesOf({ lifetimes: { access, refresh, refreshIs, rotates, renew }, authMethod }: ProviderFacts): [string, string][] {
  const renewed = {
    ahead: 'Adjoin renews it before it expires.',
    on_demand: 'Adjoin renews it when it is needed.',
    never: authMethod === 'oauth' ? 'It works until the client revokes it.' : 'What the client entered is sent with every call.',
  }[renew]
  return [
    ['Access', `${access ? `Lasts ${duration(access)}.` : 'Has no fixed end.'} ${renewed ?? ''}`.trim()],
    ...(refresh
      ? ([
          [
            'Connection',
            `Ends ${refreshIs === 'usual' ? 'usually ' : ''}after ${duration(refresh)}${rotates ? ', counted from the last renewal' : '; the client must then reconnect'}.`,
          ],
        ] as [string, string][])
      : []),
    ...(rotates ? ([['Refresh token', 'Replaced with every renewal.']] as [string, string][]) : []),
  ]
}

/** What is closed to programs, whatever the call policy says. */
export const closed: Record<string, string> = {
  mint: 'paths that issue tokens or keys',
  reveal: 'paths that show secrets',
  grant: 'paths that give other people or apps access',
  rotate: 'paths that replace credentials',
  export: 'paths that set up a lasting delivery to somewhere else',
  tunnel: 'batch calls, which carry other calls inside',
  personal: 'personal data such as leads, for viewers',
}

export const pagingWords: Record<string, string> = {
  address: 'an address of the next page in the answer',
  token: 'a token in the answer',
  page: 'page numbers',
  row: 'row numbers',
  cursor: 'a GraphQL cursor',
}
