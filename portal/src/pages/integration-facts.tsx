import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { client, type IntegrationParams, read } from '../api.ts'
import { Card, Facts } from '../design/card.tsx'
import { InlineSelect } from '../design/inline-select.tsx'
import { Time } from '../design/time.tsx'
import { toast } from '../design/toast.tsx'
import { date } from '../format.ts'
import { categories, type HealthyIntegration } from '../integration-words.ts'
import { may } from '../may.ts'
import { useChoice } from '../use-choice.ts'
import type { IntegrationProps } from './use-integration.ts'

/** What it is connected to, how well that works, until when, and who looks after it. */
export function IntegrationFacts({ place, integration, standing }: IntegrationProps) {
  const { connectedAccount, connectedAt, statusCheckedAt, category, createdByEmail, createdAt, health, owner } = integration
  const mayChange = may('updateIntegration', standing) && may('listWorkspaceMembers', standing)
  const facts: [string, ReactNode][] = [
    ['Account', connectedAccount ?? 'none yet'],
    ['Connected', moment(connectedAt)],
    ['Status since', <Time key="since" at={health.since} />],
    ['Last check', moment(statusCheckedAt)],
    ['Uptime', uptime(health.uptime30d)],
    ['Access', <Access key="access" health={health} />],
    ['Owner', mayChange ? <Owner key="owner" place={place} owner={owner} /> : (owner?.name ?? 'none')],
    ['Category', category ? categories[category] : 'unknown'],
    ['Created', `${date(createdAt)}${createdByEmail ? ` by ${createdByEmail}` : ''}`],
  ]
  return (
    <Card title="Connection">
      <Facts facts={facts} />
    </Card>
  )
}

const moment = (at: string | null): ReactNode => (at ? <Time at={at} /> : <span className="text-faint">never</span>)

/** Rounded down: 100% is said only of all. */
const uptime = (share: number | null): ReactNode =>
  share === null ? <span className="text-faint">no checks yet</span> : `${Math.floor(share * 1000) / 10}% of checks in the last 30 days`

function Access({ health: { grantEndsAt, grantEnd } }: Pick<HealthyIntegration, 'health'>) {
  if (grantEndsAt)
    return (
      <>
        Expires <Time at={grantEndsAt} /> <span className="text-faint">{grantEnd === 'estimated' && '(estimated)'}</span>
      </>
    )
  return grantEnd === 'never' ? 'Doesn’t expire, as far as we know' : <span className="text-faint">Not known yet</span>
}

function Owner({ place, owner }: { place: IntegrationParams; owner: HealthyIntegration['owner'] }) {
  const { orgSlug, workspaceSlug } = place
  const members = useQuery(read('listWorkspaceMembers', { orgSlug, workspaceSlug })).data?.members ?? []
  const { shown, busy, choose } = useChoice(
    owner?.userId ?? null,
    (ownerId) => client.updateIntegration(place, { ownerId }),
    (answer) => toast(answer.owner ? `${answer.owner.name} now gets the emails about this integration.` : 'Owner removed.'),
  )
  const people = new Map(members.map(({ userId, name, email }) => [userId, name || email]))
  if (owner) people.set(owner.userId, owner.name)
  return (
    <InlineSelect aria-label="Owner" value={shown ?? ''} disabled={busy} onChange={(event) => choose(event.target.value || null)}>
      <option value="">None: emails go to the creator</option>
      {[...people].map(([userId, name]) => (
        <option key={userId} value={userId}>
          {name}
        </option>
      ))}
    </InlineSelect>
  )
}
