import type { MustAct, ProviderId } from '@adjoin/contract/providers'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { client, live, read, useChange } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Card } from '../design/card.tsx'
import { CopyButton } from '../design/copy-button.tsx'
import { Icon } from '../design/icons.tsx'
import { Loaded } from '../design/loaded.tsx'
import { ProviderMark } from '../design/provider-mark.tsx'
import { toast } from '../design/toast.tsx'
import { turnOf } from '../integration-words.ts'
import { type FoundIntegration, leadOf, problemsOf, stepOf } from '../overview.ts'
import { explain } from '../problem.ts'
import { listed } from './overview-bulk.tsx'
import { NewLinks } from './overview-new-links.tsx'

const SHOWN = 4
/** As many as the service lists at once. */
const MOST = 200
const INTEGRATION = '/organizations/$orgSlug/workspaces/$workspaceSlug/integrations/$id'
const groups: [Exclude<MustAct, 'nobody'>, string][] = [
  ['agency', 'You need to act'],
  ['client', 'Your clients need to act'],
  ['operator', 'Your Adjoin operator needs to act'],
]

type AttentionProps = {
  orgSlug: string
  /** Only of this one. */
  workspaceSlug?: string | undefined
  counts: Record<MustAct, number>
  mayChange: (workspaceSlug: string) => boolean
  mayChangeAny: boolean
}

/** What waits for somebody, by whose move it is, each with the one step that resolves it. */
export function OverviewAttention({ counts, ...scope }: AttentionProps) {
  const waiting = groups.filter(([actor]) => counts[actor] > 0)
  return (
    <Card title="Needs attention" flush={waiting.length > 0}>
      {waiting.length ? (
        <div className="divide-y divide-line">
          {waiting.map(([actor, title]) => (
            <Group key={actor} actor={actor} title={title} count={counts[actor]} {...scope} />
          ))}
        </div>
      ) : (
        <p className="flex items-center gap-2 text-soft">
          <Icon name="check" className="text-good" /> Nothing to do. {counts.nobody > 0 && 'Temporary problems are retried automatically.'}
        </p>
      )}
    </Card>
  )
}

type GroupProps = Omit<AttentionProps, 'counts'> & { actor: MustAct; title: string; count: number }

function Group({ orgSlug, workspaceSlug, actor, title, count, mayChange, mayChangeAny }: GroupProps) {
  const asked = { orgSlug, workspace: workspaceSlug, mustAct: actor }
  const query = useQuery(live(read('listOrganizationIntegrations', { ...asked, limit: SHOWN })))
  // Where some died together, all are looked at to say how many.
  const together = query.data?.integrations.some(({ sharedLogin }) => sharedLogin) && count > SHOWN
  const all = useQuery({ ...live(read('listOrganizationIntegrations', { ...asked, limit: MOST })), enabled: together === true })
  return (
    <section aria-label={title} className="py-3">
      <header className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5 px-5 pb-1">
        <h3 className="whitespace-nowrap font-medium text-small text-soft">
          {title} <span className="text-faint">· {count.toLocaleString()}</span>
        </h3>
        <span className="flex items-center gap-3">
          {count > SHOWN && (
            <Link to="." search={{ mustAct: actor }} hash="integrations" className="link whitespace-nowrap text-small">
              Show all {count.toLocaleString()}
            </Link>
          )}
          {actor === 'client' && count > 1 && mayChangeAny && (
            <NewLinks orgSlug={orgSlug} workspaceSlug={workspaceSlug} mayChange={mayChange} />
          )}
        </span>
      </header>
      <Loaded query={query}>
        {({ integrations }) => (
          <ul>
            {problemsOf(all.data?.integrations ?? integrations)
              .slice(0, SHOWN)
              .map((problem) => {
                const lead = leadOf(problem, mayChange)
                const props = { orgSlug, integration: lead, mayChange: mayChange(lead.workspace.slug) }
                return problem.length > 1 ? (
                  <SharedLoginRow key={lead.sharedLogin} {...props} problem={problem} />
                ) : (
                  <AttentionRow key={lead.id} {...props} named={workspaceSlug === undefined} />
                )
              })}
          </ul>
        )}
      </Loaded>
    </section>
  )
}

type RowProps = { orgSlug: string; integration: FoundIntegration; mayChange: boolean }
/** `named`: with its workspace. */
type AttentionRowProps = RowProps & { named: boolean }

const AttentionRow = ({ orgSlug, integration, mayChange, named }: AttentionRowProps) => {
  const { id, name, provider, category, workspace, statusDetail, lastError } = integration
  return (
    <li className="relative flex items-center gap-3 px-5 py-2 hover:bg-sunken/50">
      <ProviderMark provider={provider} category={category} />
      <div className="min-w-0 flex-1">
        <p className="flex min-w-0 items-baseline gap-2">
          <Link
            to="/organizations/$orgSlug/workspaces/$workspaceSlug/integrations/$id"
            params={{ orgSlug, workspaceSlug: workspace.slug, id }}
            className="truncate font-medium after:absolute after:inset-0"
          >
            {name}
          </Link>
          {named && <span className="shrink-0 truncate text-faint text-small max-sm:hidden">{workspace.name}</span>}
        </p>
        <p className="truncate text-small text-soft">
          {named && <span className="sm:hidden">{workspace.name} · </span>}
          {statusDetail ?? lastError ?? turnOf(integration)}
        </p>
      </div>
      <span className="relative z-10">
        <Step orgSlug={orgSlug} integration={integration} mayChange={mayChange} />
      </span>
    </li>
  )
}

/** One consent brings all of them back, so there is one link to send. */
const SharedLoginRow = ({ problem, ...row }: RowProps & { problem: FoundIntegration[] }) => {
  const { provider, providerName, category } = row.integration
  const title = `${problem.length} ${providerName} connections with one login`
  return (
    <li className="relative flex items-center gap-3 px-5 py-2 hover:bg-sunken/50">
      <ProviderMark provider={provider} category={category} />
      <div className="min-w-0 flex-1">
        <p>
          <Link
            to="."
            search={{ mustAct: 'client', provider: provider as ProviderId }}
            hash="integrations"
            className="font-medium after:absolute after:inset-0"
          >
            {title}
          </Link>
        </p>
        <p className="text-small text-soft">
          They stopped working together. Send one link to the person who connected them to renew all of them.
        </p>
        <p className="truncate text-faint text-small max-sm:hidden">{listed(problem.map(({ name }) => name))}</p>
      </div>
      <span className="relative z-10">
        <Step {...row} of={title} />
      </span>
    </li>
  )
}

function Step({ orgSlug, integration, mayChange, of }: RowProps & { /** What it solves, if not this one alone. */ of?: string }) {
  const { id, workspace, connectLink, connectRequestId, mustAct } = integration
  const name = of ?? integration.name
  const place = { orgSlug, workspaceSlug: workspace.slug, id }
  const issue = useChange(
    () => client.issueConnectLink(place, {}),
    async ({ connectUrl }) => {
      const copied = await navigator.clipboard.writeText(connectUrl).then(
        () => true,
        () => false,
      )
      toast(copied ? 'New link created and copied. Send it to your client.' : 'New link created. Copy it and send it to your client.')
    },
  )
  const step = stepOf(integration)
  if (step === 'copy') return <CopyButton text={connectLink!.connectUrl} label="Copy link" of={name} />
  if (step === 'request')
    return (
      <Button asChild size="small" aria-label={`Open request for ${name}`}>
        <Link
          to="/organizations/$orgSlug/workspaces/$workspaceSlug/requests/$requestId"
          params={{ orgSlug, workspaceSlug: workspace.slug, requestId: connectRequestId! }}
        >
          Open request
        </Link>
      </Button>
    )
  if (!mayChange) return null
  if (step === 'issue')
    return (
      <Button
        size="small"
        busy={issue.isPending}
        aria-label={`New link for ${name}`}
        onClick={() => issue.mutate(undefined, { onError: (error) => toast(explain(error).detail, { bad: true }) })}
      >
        New link
      </Button>
    )
  return (
    <Button asChild size="small" aria-label={`${mustAct === 'agency' ? 'Open settings of' : 'Details of'} ${name}`}>
      <Link to={mustAct === 'agency' ? `${INTEGRATION}/settings` : INTEGRATION} params={place}>
        {mustAct === 'agency' ? 'Open settings' : 'Details'}
      </Link>
    </Button>
  )
}
