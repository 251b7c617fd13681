import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type CatalogueProvider, read } from '../api.ts'
import { Badge } from '../design/badge.tsx'
import { Empty } from '../design/empty.tsx'
import { TextField } from '../design/field.tsx'
import { Icon } from '../design/icons.tsx'
import { ProviderMark } from '../design/provider-mark.tsx'
import { type Category, categories } from '../integration-words.ts'
import { may } from '../may.ts'
import { Page } from '../shell/shell.tsx'
import { useWorkspace } from '../shell/workspace-frame.tsx'
import { CreateIntegration } from './create-integration.tsx'

const NEW = '/organizations/$orgSlug/workspaces/$workspaceSlug/integrations/new'

/** First the ad system, then what it needs: two steps, each with an address of its own. */
export function NewIntegration() {
  const place = useParams({ from: '/signed-in/organizations/$orgSlug/workspaces/$workspaceSlug' })
  const workspace = useWorkspace()
  const { data } = useSuspenseQuery(read('listProviders'))
  const { provider: chosen } = useSearch({ strict: false })
  const provider = data.providers.find(({ provider }) => provider === chosen)
  return (
    <Page
      title={provider ? `Connect ${provider.providerName}` : 'Choose an ad system'}
      of={workspace.name}
      lead={
        <span className="flex flex-wrap gap-x-2.5">
          <Link to="/organizations/$orgSlug/workspaces/$workspaceSlug" params={place} className="link">
            {workspace.name}
          </Link>
          {provider && (
            <Link to={NEW} params={place} className="link">
              Choose another ad system
            </Link>
          )}
          {!provider && may('createConnectRequest', { workspace: workspace.role }) && (
            <Link to="/organizations/$orgSlug/workspaces/$workspaceSlug/requests/new" params={place} className="link">
              Ask for several with one link
            </Link>
          )}
        </span>
      }
    >
      {!may('createIntegration', { workspace: workspace.role }) ? (
        <div className="card">
          <Empty icon="layers" title="For members of this workspace">
            Viewers can’t add integrations. Ask an admin for a higher role, or ask a member to add it.
          </Empty>
        </div>
      ) : provider ? (
        <CreateIntegration place={place} provider={provider} standing={{ workspace: workspace.role }} />
      ) : (
        <Choose place={place} providers={data.providers} />
      )}
    </Page>
  )
}

function Choose({ place, providers }: { place: { orgSlug: string; workspaceSlug: string }; providers: CatalogueProvider[] }) {
  const [typed, setTyped] = useState('')
  const fits = providers.filter(({ providerName, provider, category }) =>
    `${providerName} ${provider} ${category} ${categories[category]}`.toLowerCase().includes(typed.trim().toLowerCase()),
  )
  const groups = (Object.keys(categories) as Category[]).map(
    (category) => [category, fits.filter((each) => each.category === category)] as const,
  )
  return (
    <>
      <div className="max-w-sm">
        <TextField
          name="search"
          type="search"
          label="Search ad systems"
          hideLabel
          placeholder="Search ad systems…"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
      {groups.map(
        ([category, systems]) =>
          systems.length > 0 && (
            <section key={category} aria-labelledby={category} className="grid gap-2.5">
              <h2 id={category} className="font-medium text-faint text-small">
                {categories[category]}
              </h2>
              <ul className="grid gap-2.5 sm:grid-cols-2 lg:grid-cols-3">
                {systems.map((system) => (
                  <li key={system.provider} className="grid">
                    <Link
                      to={NEW}
                      params={place}
                      search={{ provider: system.provider }}
                      className="card flex items-center gap-3 px-4 py-3 transition-colors hover:border-accent"
                    >
                      <ProviderMark {...system} className="size-8" />
                      <span className="grid min-w-0 flex-1 gap-0.5">
                        <span className="font-medium">{system.providerName}</span>
                        <span className="text-faint text-small">
                          {system.authMethod === 'oauth' ? 'Client signs in and agrees' : 'Client enters credentials'}
                        </span>
                      </span>
                      {system.available ? <Icon name="next" className="text-faint" /> : <Badge tone="warn">not set up</Badge>}
                    </Link>
                  </li>
                ))}
              </ul>
            </section>
          ),
      )}
      {fits.length === 0 && (
        <div className="card">
          <Empty icon="search" title="No matching ad systems">
            Try part of the name, or an earlier name of the system.
          </Empty>
        </div>
      )}
    </>
  )
}
