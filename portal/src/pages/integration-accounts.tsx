import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { type CatalogueProvider, client, type IntegrationParams, read, useChange } from '../api.ts'
import { changePolicy } from '../change-policy.ts'
import { Button } from '../design/button.tsx'
import { Card } from '../design/card.tsx'
import { Choice } from '../design/choice.tsx'
import { TextareaField } from '../design/field.tsx'
import { Loaded } from '../design/loaded.tsx'
import { Notice } from '../design/notice.tsx'
import { Time } from '../design/time.tsx'
import { toast } from '../design/toast.tsx'
import { accountRows, type ListedAccount, MOST_CHOSEN, unlisted } from '../fence.ts'
import { plural } from '../format.ts'
import type { Integration } from '../integration-words.ts'
import { may, type OwnRoles } from '../may.ts'
import { explain } from '../problem.ts'
import { AccountTree } from './account-tree.tsx'

type Props = { place: IntegrationParams; integration: Integration; provider: CatalogueProvider | undefined; standing: OwnRoles }

/** What the connection reaches at the ad system, and which of it programs may use. */
export function IntegrationAccounts({ place, integration, provider, standing }: Props) {
  const query = useQuery(read('listIntegrationAccounts', place))
  const refresh = useChange(
    () => client.refreshIntegrationAccounts(place),
    () => toast('Accounts refreshed.'),
  )
  const { providerName } = integration
  const mayRefresh = may('refreshIntegrationAccounts', standing) && integration.status === 'active' && query.data?.listed
  const { accounts: allowed } = integration.callPolicy
  return (
    <Card
      title="Accounts"
      note={`What this connection reaches at ${providerName}.`}
      action={
        mayRefresh && (
          <Button size="small" busy={refresh.isPending} onClick={() => refresh.mutate()}>
            Refresh
          </Button>
        )
      }
    >
      <Loaded query={query}>
        {({ accounts, listed, complete, refreshedAt }) => (
          <div className="grid gap-4">
            {refresh.error && <Notice tone="bad" {...explain(refresh.error)} />}
            {!listed && (
              <p className="text-soft">
                {providerName} doesn’t offer a list of accounts. The account of this connection is the one in the settings above.
              </p>
            )}
            {listed && !refreshedAt && <p className="text-soft">The accounts are listed shortly after your client connects.</p>}
            {refreshedAt && (
              <p className="text-small text-soft">
                {complete ? plural(accounts.length, 'account') : `The first ${accounts.length.toLocaleString()} accounts; there are more`},
                listed <Time at={refreshedAt} />.
              </p>
            )}
            {provider?.gateway?.fence && may('setIntegrationCallPolicy', standing) ? (
              <Fence key={String(allowed)} place={place} integration={integration} accounts={accounts} />
            ) : (
              <>
                {provider?.gateway && (
                  <p>
                    {provider.gateway.fence
                      ? `${allowed ? `Programs may use ${plural(allowed.length, 'account')} of them.` : 'Programs may use all of them.'} Only admins of this workspace can change this.`
                      : `Calls to ${providerName} can’t be limited to certain accounts. If this connection reaches too much, ask your client for credentials with less access.`}
                  </p>
                )}
                {accounts.length > 0 && <AccountTree rows={accountRows(accounts)} />}
              </>
            )}
          </div>
        )}
      </Loaded>
    </Card>
  )
}

type Which = 'all' | 'some'

function Fence({ place, integration, accounts }: { place: IntegrationParams; integration: Integration; accounts: ListedAccount[] }) {
  const { accounts: allowed } = integration.callPolicy
  const rows = useMemo(() => accountRows(accounts), [accounts])
  const [which, setWhich] = useState<Which>(allowed ? 'some' : 'all')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(allowed))
  const others = unlisted(rows, chosen)
  const change = useChange(
    () => changePolicy(place, { accounts: which === 'all' ? null : [...chosen] }),
    () => toast('Policy updated.'),
  )
  const wrong =
    which === 'all'
      ? undefined
      : chosen.size === 0
        ? 'Choose at least one account.'
        : chosen.size > MOST_CHOSEN
          ? `Choose at most ${MOST_CHOSEN} accounts.`
          : undefined
  return (
    <div className="grid gap-4">
      <Choice
        legend="Which accounts programs may use"
        value={which}
        onChange={setWhich}
        options={[
          { value: 'all', label: 'All', help: 'Also accounts that are added later.' },
          {
            value: 'some',
            label: 'Only the chosen ones',
            help: 'Calls that name another account, or that don’t say which account they’re about, are refused.',
          },
        ]}
      />
      {rows.length > 0 && <AccountTree rows={rows} {...(which === 'some' && { chosen, onChoose: setChosen })} />}
      {which === 'some' && (rows.length === 0 || others.length > 0) && (
        <TextareaField
          name="others"
          label={rows.length ? 'Allowed, but not in this list' : 'Account IDs'}
          help="One ID per line, as the ad system’s API writes it."
          rows={3}
          defaultValue={others.join('\n')}
          onChange={(event) => {
            const typed = event.target.value.split(/\s+/).filter(Boolean)
            setChosen(new Set([...[...chosen].filter((id) => !others.includes(id)), ...typed]))
          }}
          spellCheck={false}
        />
      )}
      {change.error && <Notice tone="bad" {...explain(change.error)} />}
      <div className="flex flex-wrap items-center gap-3">
        <Button busy={change.isPending} disabled={wrong !== undefined} onClick={() => change.mutate()}>
          Update accounts
        </Button>
        {which === 'some' && <span className="text-small text-soft">{wrong ?? `${plural(chosen.size, 'account')} chosen.`}</span>}
      </div>
    </div>
  )
}
