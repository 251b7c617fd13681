import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ProviderMark } from '../design/provider-mark.tsx'
import { providerFacts } from './data.ts'
import { DocsPage, DocsSection } from './page.tsx'
import { kinds, ways } from './provider-words.ts'

/** All ad systems, by kind. */
export const Providers = (): ReactNode => (
  <DocsPage title="Ad systems" lead="What each needs from you and from your client, how its app gets approved, and what you can call.">
    {(['wg', 'dsp', 'ssp'] as const).map((kind) => (
      <DocsSection key={kind} title={kinds[kind]}>
        <ul className="grid gap-3 sm:grid-cols-2 2xl:grid-cols-3">
          {providerFacts
            .filter(({ category }) => category === kind)
            .map(({ provider, providerName, category, authMethod }) => (
              <li key={provider} className="card relative flex items-center gap-3 p-4 hover:bg-sunken/40">
                <ProviderMark provider={provider} category={category} className="size-8" />
                <span className="grid min-w-0">
                  <Link
                    to="/docs/providers/$provider"
                    params={{ provider }}
                    className="rounded-small font-medium after:absolute after:inset-0"
                  >
                    {providerName}
                  </Link>
                  <span className="text-small text-soft">{ways[authMethod]}</span>
                </span>
              </li>
            ))}
        </ul>
      </DocsSection>
    ))}
  </DocsPage>
)
