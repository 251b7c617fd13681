import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { read } from '../api.ts'
import { Badge } from '../design/badge.tsx'
import { Button } from '../design/button.tsx'
import { Card, Facts } from '../design/card.tsx'
import { Icon, type IconName } from '../design/icons.tsx'
import { Notice } from '../design/notice.tsx'
import { Time } from '../design/time.tsx'
import { date } from '../format.ts'
import { languageName } from '../languages.ts'
import { may } from '../may.ts'
import { type ConnectRequest, isClosed, isOpen, progressOf, type RequestParams, requestWords, standOf } from '../request-words.ts'
import { useOrganization } from '../shell/organization-frame.tsx'
import { Page } from '../shell/shell.tsx'
import { useWorkspace } from '../shell/workspace-frame.tsx'
import { EditRequest } from './edit-request.tsx'
import { RequestActions } from './request-actions.tsx'
import { RequestItems } from './request-items.tsx'
import { RequestLink } from './request-link.tsx'

const WORKSPACE = '/signed-in/organizations/$orgSlug/workspaces/$workspaceSlug'

/** How far the client is, what holds them up, and the link to send them. */
export function RequestPage() {
  const place = useParams({ from: `${WORKSPACE}/requests/$requestId` })
  const workspace = useWorkspace()
  const standing = { organization: useOrganization().role, workspace: workspace.role }
  // The client may be at it right now: it shows here without a reload.
  const { data: request } = useSuspenseQuery({ ...read('getConnectRequest', place), refetchInterval: 15_000 })
  const { words, tone } = requestWords[standOf(request)]
  return (
    <Page
      title={request.title}
      of={workspace.name}
      lead={
        <span className="flex flex-wrap items-center gap-x-2.5">
          <Link to="/organizations/$orgSlug/workspaces/$workspaceSlug" params={place} className="link wrap-anywhere min-w-0">
            {workspace.name}
          </Link>
          <Link to="/organizations/$orgSlug/workspaces/$workspaceSlug/requests" params={place} className="link">
            Requests
          </Link>
          <Badge tone={tone}>{words}</Badge>
          <span>{progressOf(request)}</span>
        </span>
      }
      action={<RequestActions place={place} request={request} standing={standing} />}
    >
      {request.mailsStopped && !isClosed(request) && (
        <Notice tone="warn" title="Your client gets no emails from us" detail="They asked us to stop. Send them the link yourself." />
      )}
      {!isClosed(request) && <RequestLink place={place} request={request} standing={standing} />}
      <Steps request={request} />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1.7fr)_minmax(0,1fr)]">
        <RequestItems place={place} request={request} />
        <RequestFacts place={place} request={request} mayChange={may('updateConnectRequest', standing)} />
      </div>
    </Page>
  )
}

/** From the first email to the last connection. */
function Steps({ request }: { request: ConnectRequest }) {
  const { createdAt, sentAt, startedAt, completedAt, canceledAt, status } = request
  const over = status === 'canceled' || status === 'complete'
  const steps: [name: string, at: string | null, icon: IconName, otherwise: string][] = [
    ['Created', createdAt, 'check', ''],
    ['Emailed', sentAt, sentAt ? 'check' : 'mail', 'not emailed'],
    ['Started', startedAt, startedAt ? 'check' : over ? 'close' : 'clock', over ? 'never' : 'not yet'],
    canceledAt
      ? ['Canceled', canceledAt, 'close', '']
      : standOf(request) === 'declined'
        ? ['Declined', completedAt, 'close', '']
        : ['Completed', completedAt, completedAt ? 'check' : 'clock', status === 'expired' ? 'link expired' : 'not yet'],
  ]
  return (
    <ol aria-label="Progress" className="card grid grid-cols-2 divide-line overflow-clip sm:grid-cols-4 sm:divide-x">
      {steps.map(([name, at, icon, otherwise]) => (
        <li key={name} className="flex items-start gap-2.5 px-5 py-3">
          <span
            className={`mt-0.5 grid size-5 shrink-0 place-items-center rounded-full ${icon === 'check' ? 'bg-good-tint text-good' : 'bg-sunken text-faint'}`}
          >
            <Icon name={icon} className="size-3" />
          </span>
          <span className="grid min-w-0">
            <span className={at ? 'font-medium' : 'text-soft'}>{name}</span>
            <span className="text-faint text-small">{at ? <Time at={at} /> : otherwise}</span>
          </span>
        </li>
      ))}
    </ol>
  )
}

type FactsProps = { place: RequestParams; request: ConnectRequest; mayChange: boolean }

function RequestFacts({ place, request, mayChange }: FactsProps) {
  const [editing, setEditing] = useState(false)
  const { clientName, clientEmail, language, reminders, sentAt, message, returnUrl, createdAt, createdByEmail } = request
  const facts: [string, ReactNode][] = [
    ['Client', clientName ?? none],
    // Viewers don't learn it, nor that there is one.
    ...(mayChange ? [['Email', clientEmail ?? none] satisfies [string, ReactNode]] : []),
    ['Language', language ? languageName(language) : 'of their browser'],
    ['Reminders', reminders && (!mayChange || clientEmail) ? (sentAt || !isOpen(request) ? 'on' : 'on, once it’s emailed') : 'off'],
    ...(message
      ? [
          [
            'Message',
            <span key="message" className="whitespace-pre-line">
              {message}
            </span>,
          ] satisfies [string, ReactNode],
        ]
      : []),
    ...(returnUrl ? [['Return URL', returnUrl] satisfies [string, ReactNode]] : []),
    ['Created', `${date(createdAt)}${createdByEmail ? ` by ${createdByEmail}` : ''}`],
  ]
  return (
    <Card
      title="Details"
      action={
        mayChange &&
        !isClosed(request) && (
          <Button size="small" onClick={() => setEditing(true)}>
            Edit…
          </Button>
        )
      }
    >
      <Facts facts={facts} />
      {editing && <EditRequest place={place} request={request} onClose={() => setEditing(false)} />}
    </Card>
  )
}

const none = <span className="text-faint">none</span>
