import { setTimeout as sleep } from 'node:timers/promises'
import type { Output } from '@adjoin/contract'
import type { Command } from 'commander'
import type { Context, Flags } from '../context.ts'
import { explain } from '../failure.ts'
import { print, table } from '../output.ts'
import { note, paint, type Safe, safe, say, sayJson } from '../terminal.ts'

type ListedIntegration = Output<'listIntegrations'>['integrations'][number]
type Frozen = Output<'getOrganization'>['frozen']
type StatusRow = ListedIntegration & { workspace: string; why: string | null }

const AT_ONCE = 8

export function addStatus(program: Command, open: (flags: Flags) => Context): void {
  program
    .command('status')
    .description('Show the health of all integrations: what is wrong, and who must act')
    .option('--watch', 'refresh until Ctrl-C')
    .option('--every <seconds>', 'seconds between refreshes', '10')
    .addHelpText('after', '\nExamples:\n  adjoin status\n  adjoin status --workspace client-a --watch\n  adjoin status --json')
    .action(async (options: { watch?: boolean; every: string }, command: Command) => {
      const flags = command.optsWithGlobals<Flags>()
      const context = open(flags)
      if (!options.watch) return show(await readStatus(context, flags.workspace), context.json)
      for (;;) {
        try {
          const status = await readStatus(context, flags.workspace)
          if (process.stdout.isTTY && !context.json) say`\u001b[2J\u001b[H`
          if (context.json) sayJson(status)
          else say`${overview(status)}\n`
        } catch (error) {
          note`${explain(error, context.url)}\n` // the next look may do better
        }
        await sleep(Math.max(1, Number(options.every) || 10) * 1000)
      }
    })
}

interface Status {
  readonly frozen: Frozen
  readonly integrations: StatusRow[]
}

function show(status: Status, json: boolean): void {
  if (json) print(status, true)
  else say`${overview(status)}\n`
}

/** A workspace's key does not see the organization: it is not told. */
async function readStatus(context: Context, only: string | undefined): Promise<Status> {
  const [organization, integrations] = await Promise.all([
    context.client.getOrganization({ orgSlug: context.org() }).catch(() => undefined),
    readRows(context, only),
  ])
  return { frozen: organization?.frozen ?? null, integrations }
}

/** Of one workspace when a flag names it, else of every workspace that can be seen and has one. */
async function readRows(context: Context, only: string | undefined): Promise<StatusRow[]> {
  const orgSlug = context.org()
  const { client } = context
  const slugs = only
    ? [only]
    : (await client.listWorkspaces({ orgSlug })).workspaces
        .filter(({ integrationCounts }) => Object.values(integrationCounts).some((n) => n > 0))
        .map(({ slug }) => slug)
  const rows: StatusRow[] = []
  for (let i = 0; i < slugs.length; i += AT_ONCE)
    rows.push(
      ...(
        await Promise.all(
          slugs.slice(i, i + AT_ONCE).map(async (workspace) => {
            const { integrations } = await client.listIntegrations({ orgSlug, workspaceSlug: workspace })
            return integrations.map((one) => ({ ...one, workspace, why: whyOf(one, workspace) }))
          }),
        )
      ).flat(),
    )
  return rows
}

/** The service's own sentence; for one that was not tried yet, what became of its link. */
function whyOf({ id, status, statusDetail, lastError, connectLink }: ListedIntegration, workspace: string): string | null {
  if (status === 'disabled') return null
  if (status !== 'pending' || lastError) return statusDetail ?? lastError
  const issue = `adjoin integrations link ${id} --workspace ${workspace}`
  if (!connectLink) return `no connect link; issue one: ${issue}`
  return connectLink.expired
    ? `connect link expired; issue a new one: ${issue}`
    : `connect link valid until ${connectLink.expiresAt.slice(0, 10)}`
}

const ORDER = ['error', 'pending', 'active', 'disabled']

function overview({ frozen, integrations: rows }: Status): Safe {
  if (!frozen) return health(rows)
  const since = `Frozen since ${frozen.at.slice(0, 10)} by ${frozen.by}: ${frozen.reason}`
  const hint = 'Nothing is sent to ad systems. An admin unfreezes it: adjoin thaw'
  return safe`${paint('red', since)}\n${paint('dim', hint)}\n\n${health(rows)}`
}

function health(rows: StatusRow[]): Safe {
  if (!rows.length) return paint('dim', 'No integrations yet. Create one: adjoin connect google_ads --name "Search"')
  const counts = ['active', 'pending', 'error', 'disabled'].map(
    (status) => `${rows.filter((row) => row.status === status).length} ${status}`,
  )
  const sorted = rows.toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status))
  const columns = ['workspace', 'name', 'provider', 'status', 'mustAct', 'connectedAccount', 'statusCheckedAt', 'why']
  return safe`${counts.join(' · ')}\n\n${table(sorted, columns)}`
}
