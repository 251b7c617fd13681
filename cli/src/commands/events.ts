import type { Event } from '@adjoin/contract'
import type { Command } from 'commander'
import type { Context, Flags } from '../context.ts'
import { usage } from '../failure.ts'
import { sayDocument } from '../template.ts'
import { note, paint, say } from '../terminal.ts'

export interface FeedFlags {
  follow?: boolean
  since?: string
  types?: string
}

/** What happens, as it happens: for people, and with --json for a SIEM, an event a line. */
export function addEvents(program: Command, open: (flags: Flags) => Context): void {
  program
    .command('events')
    .description('Show events of the organization, or of one workspace')
    .option('--follow', 'wait for new events until Ctrl-C')
    .option('--since <when>', '2h, 30m, 7d, a time, or `start`; default: 24h, with --follow from now on')
    .option('--types <list>', 'types such as integration.connected, or groups such as integration.*, separated by commas')
    .addHelpText(
      'after',
      '\nWith --json each line is one event.\n\nExamples:\n  adjoin events --since 2h\n  adjoin events --follow --types "integration.*,connect_link.*"\n  adjoin events --follow --since start --json >> events.ndjson',
    )
    .action(async (options: FeedFlags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>()
      const context = open(flags)
      if (options.follow && process.stderr.isTTY) note`Waiting for events … (Ctrl-C stops)\n`
      for await (const event of eventsOf(context, flags.workspace ?? context.keyWorkspace, options)) {
        if (context.json) sayDocument(event)
        else line(event)
      }
    })
}

/** Of one workspace where a flag names it, else of the whole organization. */
export function eventsOf(context: Context, workspaceSlug: string | undefined, { follow = false, since, types }: FeedFlags) {
  const after = since === undefined ? (follow ? undefined : timeOf('24h')) : timeOf(since)
  return context.client.events({
    orgSlug: context.org(),
    follow,
    ...(workspaceSlug && { workspaceSlug }),
    ...(after && { after }),
    ...(types && { types: types.split(',').map((type) => type.trim()) }),
  })
}

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** `2h` → the time two hours ago, as the service reads it. */
export function timeOf(since: string, now = Date.now()): string {
  if (since === 'start') return since
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(since) ?? []
  const time = count ? now - Number(count) * UNITS[unit!]! * 1000 : Date.parse(since)
  if (!Number.isFinite(time)) throw usage(`--since takes 2h, 30m, 7d, a time such as 2026-01-31T12:00:00Z, or \`start\`, not ${since}`)
  return new Date(time).toISOString()
}

function line({ createdAt, type, workspace, actor, data }: Event): void {
  const about = data.integration?.name ?? data.target?.name ?? ''
  const changes = data.changes.map(({ field, from, to }) => `${field}: ${JSON.stringify(from)} → ${JSON.stringify(to)}`).join(', ')
  const status = data.integration?.mustAct && data.integration.mustAct !== 'nobody' ? ` (${data.integration.mustAct} must act)` : ''
  say`${paint('dim', createdAt.slice(0, 19).replace('T', ' '))}  ${paint('bold', type)}  ${workspace?.slug ?? '-'}  ${about}${status}  ${changes}  ${paint('dim', actor.name ?? actor.type)}\n`
}
