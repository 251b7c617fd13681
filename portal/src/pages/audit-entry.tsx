import { Fragment, type ReactNode } from 'react'
import { Badge } from '../design/badge.tsx'
import { Facts } from '../design/card.tsx'
import { Icon } from '../design/icons.tsx'
import { Time } from '../design/time.tsx'
import { browserOf, exactTime, spoken } from '../format.ts'
import { actorName, Sentence, type TrailEntry } from './audit-lines.tsx'

const ways: Record<TrailEntry['context']['via'], string> = {
  session: 'Portal',
  bearer: 'Command line or script',
  apiKey: 'API key',
  connect: 'Connect page',
  signIn: 'Sign-in',
  job: 'Scheduled job',
}

/** One line of the trail; opened, everything that was remembered of it. */
export const AuditEntry = ({ entry, here = false }: { entry: TrailEntry; here?: boolean }) => (
  <li>
    <details className="group">
      <summary className="flex list-none items-baseline gap-3 px-5 py-2.5 hover:bg-sunken/50 max-sm:flex-wrap max-sm:gap-y-0 [&::-webkit-details-marker]:hidden">
        <Icon name="chevron" className="-rotate-90 translate-y-0.5 self-start text-faint transition-transform group-open:rotate-0" />
        <span className="wrap-anywhere min-w-0 flex-1">
          <Sentence entry={entry} here={here} /> {entry.outcome === 'failure' && <Badge tone="bad">failed</Badge>}
        </span>
        <Time at={entry.createdAt} className="text-faint text-small max-sm:ml-7 max-sm:basis-full" />
      </summary>
      <div className="grid gap-4 border-line border-t border-dashed bg-sunken/40 px-5 py-4 sm:pl-12">
        {entry.changes.length > 0 && <Changes changes={entry.changes} />}
        <Facts facts={factsOf(entry)} />
      </div>
    </details>
  </li>
)

/** On a phone a long kind goes on in the next line, between its words. */
const breakable = (kind: string) =>
  kind.split(/(?<=[._])/).map((part) => (
    <Fragment key={part}>
      {part}
      <wbr />
    </Fragment>
  ))

const mono = (text: ReactNode) => <span className="wrap-anywhere font-mono text-small">{text ?? '–'}</span>

function factsOf(entry: TrailEntry): [string, ReactNode][] {
  const { actor, target, context, metadata } = entry
  const by = [actorName(entry), actor.email, actor.keyPrefix && `key ${actor.keyPrefix}…`].filter(Boolean)
  return [
    ['Action', mono(breakable(entry.action))],
    ['When', exactTime(entry.createdAt)],
    ['By', [...new Set(by)].join(' · ')],
    ['Target', `${spoken(target.type)} ${target.name ?? ''}`],
    ['Via', ways[context.via]],
    [
      'From',
      <span key="from">
        {mono(context.ip)} {context.userAgent && <span className="text-faint">{browserOf(context.userAgent)}</span>}
      </span>,
    ],
    ['Request', mono(context.requestId)],
    ...Object.entries(metadata).map(([name, value]): [string, ReactNode] => [spoken(name), mono(shown(value))]),
    ['Entry', mono(`#${entry.sequence}`)],
    ['Hash', mono(entry.hash)],
    ['Previous hash', mono(entry.previousHash)],
  ]
}

const shown = (value: unknown) => (value === null || value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value))

const Changes = ({ changes }: { changes: TrailEntry['changes'] }) => (
  <ul className="grid gap-1">
    {changes.map(({ field, from, to }) => (
      <li key={field} className="wrap-anywhere flex flex-wrap items-center gap-x-2">
        <span className="text-faint">{spoken(field)}</span>
        <del className="text-faint">{shown(from)}</del>
        <Icon name="next" className="text-faint" />
        <ins className="font-medium no-underline">{shown(to)}</ins>
      </li>
    ))}
  </ul>
)
