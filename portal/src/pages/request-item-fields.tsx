import { useQuery } from '@tanstack/react-query'
import { type CatalogueProvider, read, type WorkspaceParams } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Card } from '../design/card.tsx'
import { Icon } from '../design/icons.tsx'
import { Menu, MenuItem, MenuLabel } from '../design/menu.tsx'
import { ProviderMark } from '../design/provider-mark.tsx'
import { type Category, categories } from '../integration-words.ts'
import type { OwnRoles } from '../may.ts'
import { type ItemDraft, needingClient } from '../request-draft.ts'
import { RequestItemForm } from './request-item-form.tsx'

const MOST = 20

type ItemsProps = {
  place: WorkspaceParams
  providers: CatalogueProvider[]
  standing: OwnRoles
  items: ItemDraft[]
  onChange: (items: ItemDraft[]) => void
}

/** What the client is asked for, and what the agency knows of it already. */
export function RequestItemFields({ place, providers, standing, items, onChange }: ItemsProps) {
  const add = (item: Omit<ItemDraft, 'key' | 'values'>) => onChange([...items, { key: crypto.randomUUID(), values: {}, ...item }])
  return (
    <Card title="What to connect" note={`Up to ${MOST} ad systems behind one link.`} flush>
      {items.length > 0 && (
        <ol className="divide-y divide-line border-line border-b" aria-label="What to connect">
          {items.map((item, at) => (
            <RequestItemForm
              key={item.key}
              at={at}
              item={item}
              provider={providers.find(({ provider }) => provider === item.provider)}
              standing={standing}
              onRemove={() => onChange(items.filter(({ key }) => key !== item.key))}
            />
          ))}
        </ol>
      )}
      {items.length < MOST && (
        <div className="flex flex-wrap gap-2 px-5 py-4">
          <AddSystem providers={providers} first={items.length === 0} onAdd={add} />
          <AddExisting place={place} taken={items} onAdd={add} />
        </div>
      )}
    </Card>
  )
}

type AddProps = { onAdd: (item: Omit<ItemDraft, 'key' | 'values'>) => void }

function AddSystem({ providers, first, onAdd }: AddProps & { providers: CatalogueProvider[]; first: boolean }) {
  const available = providers.filter((provider) => provider.available)
  const missing = providers.length - available.length
  return (
    <Menu
      align="start"
      trigger={
        <Button look={first ? 'primary' : 'plain'}>
          <Icon name="plus" /> Add ad system
        </Button>
      }
    >
      {(Object.keys(categories) as Category[]).map((category) => (
        <div key={category}>
          <MenuLabel>{categories[category]}</MenuLabel>
          {available
            .filter((provider) => provider.category === category)
            .map(({ provider, providerName }) => (
              <MenuItem key={provider} onSelect={() => onAdd({ provider, name: providerName })}>
                <ProviderMark provider={provider} category={category} className="size-5" /> {providerName}
              </MenuItem>
            ))}
        </div>
      ))}
      {missing > 0 && <MenuLabel>{missing} more must be set up by your Adjoin operator first</MenuLabel>}
    </Menu>
  )
}

/** Only where there are some: most requests are for a new client. */
function AddExisting({ place, taken, onAdd }: AddProps & { place: WorkspaceParams; taken: ItemDraft[] }) {
  const integrations = useQuery(read('listIntegrations', place)).data?.integrations
  const requests = useQuery(read('listConnectRequests', place)).data?.connectRequests
  if (!integrations || !requests) return null
  const offered = needingClient(integrations, requests).filter(({ id }) => !taken.some(({ integrationId }) => integrationId === id))
  if (!offered.length) return null
  return (
    <Menu
      align="start"
      trigger={
        <Button>
          <Icon name="rotate" /> Add existing integration
        </Button>
      }
    >
      <MenuLabel>Waiting for your client to connect</MenuLabel>
      {offered.map(({ id, name, provider, category }) => (
        <MenuItem key={id} onSelect={() => onAdd({ provider, name, integrationId: id })}>
          <ProviderMark provider={provider} category={category} className="size-5" /> <span className="wrap-anywhere min-w-0">{name}</span>
        </MenuItem>
      ))}
    </Menu>
  )
}
