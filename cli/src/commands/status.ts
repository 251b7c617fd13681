import { setTimeout as sleep } from 'node:timers/promises'
import { type Output, ProblemError } from '@adjoin/contract'
import type { Command } from 'commander'
import type { Context, Flags } from '../context.ts'
import { explain } from '../failure.ts'
import { print, table } from '../output.ts'
import { note, paint, type Safe, safe, say, sayJson } from '../terminal.ts'

type ListedIntegration = Output<'listIntegrations'>['integrations'][number]
type StatusRow = ListedIntegration & { workspace: string; why: string | null }

interface Overview {
  /** Null: not frozen, or not for this caller to know. */
  frozen: Output<'getOrganization'>['frozen']
  integrations: StatusRow[]
}

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
      if (!options.watch) return show(await readOverview(context, flags.workspace), context.json)
      for (;;) {
        try {
          const overview = await readOverview(context, flags.workspace)
          if (process.stdout.isTTY && !context.json) say`\u001b[2J\u001b[H`
          if (context.json) sayJson(overview)
          else say`${readable(overview)}\n`
        } catch (error) {
          note`${explain(error, context.url)}\n` // the next look may do better
        }
        await sleep(Math.max(1, Number(options.every) || 10) * 1000)
      }
    })
}

function show(overview: Overview, json: boolean): void {
  if (json) print(overview, true)
  else say`${readable(overview)}\n`
}

async function readOverview(context: Context, only: string | undefined): Promise<Overview> {
  const [frozen, integrations] = await Promise.all([readFrozen(context), readRows(context, only)])
  return { frozen, integrations }
}

/** Keys of a workspace can't read the organization. */
const readFrozen = async (context: Context): Promise<Overview['frozen']> =>
  (
    await context.client.getOrganization({ orgSlug: context.org() }).catch((error: unknown) => {
      if (error instanceof ProblemError && error.status < 500 && error.status !== 429) return undefined
      throw error
    })
  )?.frozen ?? null

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

function readable({ frozen, integrations }: Overview): Safe {
  if (!frozen) return health(integrations)
  const words = `Frozen since ${frozen.at.slice(0, 16).replace('T', ' ')} UTC by ${frozen.by}: ${frozen.reason}`
  const meaning = 'Nothing is sent to ad systems. An admin can unfreeze the organization: adjoin thaw'
  return safe`${paint('red', words)}\n${meaning}\n\n${health(integrations)}`
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
