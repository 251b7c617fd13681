import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { read } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Card } from '../design/card.tsx'
import { Icon } from '../design/icons.tsx'
import type { OverviewCounts } from './overview-filters.tsx'

/** Who looks after more than these has found the way. */
const DAY_ONE = 5

type Step = { name: string; why: string; done: boolean | undefined; link: LinkProps }

type FirstStepsProps = {
  orgSlug: string
  counts: OverviewCounts
  workspaces: { slug: string }[]
  /** What stands in their place once they are hidden. */
  otherwise?: ReactNode
}

/** The way from nothing to a client's data in a program: it knows what is done, and goes when all is. */
export function FirstSteps(props: FirstStepsProps) {
  const key = `adjoin.first-steps.${props.orgSlug}`
  const [hidden, setHidden] = useState(() => localStorage.getItem(key) !== null)
  if (hidden || props.counts.total > DAY_ONE) return props.otherwise ?? null
  const hide = () => {
    localStorage.setItem(key, 'hidden')
    setHidden(true)
  }
  return <Steps {...props} onHide={hide} />
}

function Steps({ orgSlug, counts, workspaces, onHide }: FirstStepsProps & { onHide: () => void }) {
  const keys = useQuery(read('listApiKeys', { orgSlug })).data?.apiKeys
  const members = useQuery(read('listOrganizationMembers', { orgSlug })).data?.members
  const invitations = useQuery(read('listOrganizationInvitations', { orgSlug })).data?.invitations
  const waiting = useQuery({
    ...read('listOrganizationIntegrations', { orgSlug, limit: 1 }),
    enabled: counts.total > 0,
  }).data?.integrations[0]
  const [first] = workspaces
  const params = { orgSlug }
  const steps: Step[] = [
    {
      name: 'Create a workspace',
      why: 'One for each client.',
      done: first !== undefined,
      link: { to: '/organizations/$orgSlug/workspaces', params, hash: 'new' },
    },
    {
      name: 'Create a connect link',
      why: 'Choose an ad system and send the link to your client.',
      done: counts.total > 0,
      link: first
        ? { to: '/organizations/$orgSlug/workspaces/$workspaceSlug/integrations/new', params: { orgSlug, workspaceSlug: first.slug } }
        : { to: '/organizations/$orgSlug/workspaces', params },
    },
    {
      name: 'Get the first connection',
      why: 'Your client opens the link and signs in. They don’t need an account here.',
      done: counts.byStatus.active > 0,
      link: waiting
        ? {
            to: '/organizations/$orgSlug/workspaces/$workspaceSlug/integrations/$id',
            params: { orgSlug, workspaceSlug: waiting.workspace.slug, id: waiting.id },
          }
        : { to: '/organizations/$orgSlug', params },
    },
    {
      name: 'Make the first call',
      why: 'Create an API key and use it in your program.',
      done: keys?.some(({ lastRequest }) => lastRequest !== null),
      link: { to: '/organizations/$orgSlug/api-keys', params },
    },
    {
      name: 'Invite a colleague',
      why: 'So that someone can step in when you’re away.',
      done: members && invitations && (members.length > 1 || invitations.length > 0),
      link: { to: '/organizations/$orgSlug/members', params },
    },
  ]
  const done = steps.filter((step) => step.done).length
  // Until all is known, nothing: a list that appears and goes again says nothing.
  if (done === steps.length || steps.some((step) => step.done === undefined)) return null
  const next = steps.find((step) => !step.done)
  return (
    <Card
      title="Get started"
      note={`${done} of ${steps.length} done`}
      flush
      action={
        <Button size="small" look="quiet" onClick={onHide}>
          Hide
        </Button>
      }
    >
      <ol className="divide-y divide-line">
        {steps.map((step) => (
          <StepRow key={step.name} step={step} isNext={step === next} />
        ))}
      </ol>
    </Card>
  )
}

const StepRow = ({ step: { name, why, done, link }, isNext }: { step: Step; isNext: boolean }) => (
  <li className={`relative flex items-center gap-3.5 px-5 py-3 hover:bg-sunken/50 ${isNext ? 'bg-accent-tint/40' : ''}`}>
    <span
      className={`grid size-5 shrink-0 place-items-center rounded-full border ${done ? 'border-transparent bg-good-tint text-good' : 'border-edge'}`}
    >
      {done && <Icon name="check" className="size-3.5" />}
    </span>
    <span className="grid min-w-0 flex-1">
      <Link {...link} className={`font-medium after:absolute after:inset-0 ${done ? 'text-soft' : ''}`}>
        {name}
        {done && <span className="sr-only"> (done)</span>}
      </Link>
      {!done && <span className="text-small text-soft">{why}</span>}
    </span>
    {!done && <Icon name="next" className={isNext ? 'text-accent' : 'text-faint'} />}
  </li>
)
