import { setTimeout as sleep } from 'node:timers/promises'
import { actors, type MustAct, type Output, ProblemError } from '@adjoin/contract'
import { type Command, Option } from 'commander'
import type { Context, Flags } from '../context.ts'
import { EXIT, explain, usage } from '../failure.ts'
import { print } from '../output.ts'
import { type ListedIntegration, type StatusRow, statusTable } from '../status-table.ts'
import { sayDocument } from '../template.ts'
import { note, paint, type Safe, safe, say } from '../terminal.ts'

interface Overview {
  /** Null: not frozen, or not for this caller to know. */
  frozen: Output<'getOrganization'>['frozen']
  integrations: StatusRow[]
}

interface StatusFilters {
  workspace?: string | undefined
  mustAct?: MustAct
  expiringWithin?: number
}

interface StatusFlags {
  watch?: boolean
  every: string
  mustAct?: MustAct
  expiring?: string
  exitCode?: boolean
}

const PAGE = 200

export function addStatus(program: Command, open: (flags: Flags) => Context): void {
  program
    .command('status')
    .description('Show the health of all integrations: what is wrong, and who must act')
    .addOption(new Option('--must-act <who>', 'only those where this party must act').choices(actors))
    .option('--expiring <days>', 'only those whose access ends within this many days, such as 14d')
    .option('--exit-code', 'exit with 1 if something is wrong: an error, a freeze, or a match of --must-act or --expiring')
    .option('--watch', 'refresh until Ctrl-C')
    .option('--every <seconds>', 'seconds between refreshes', '10')
    .addHelpText(
      'after',
      '\nExamples:\n  adjoin status\n  adjoin status --must-act client\n  adjoin status --expiring 14d\n' +
        '  adjoin status --workspace client-a --watch\n  adjoin status --exit-code > /dev/null || echo "look at Adjoin"\n  adjoin status --json',
    )
    .action(async (options: StatusFlags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>()
      const context = open(flags)
      const filters: StatusFilters = {
        workspace: flags.workspace ?? context.keyWorkspace,
        ...(options.mustAct && { mustAct: options.mustAct }),
        ...(options.expiring && { expiringWithin: daysOf(options.expiring) }),
      }
      const narrowed = Boolean(options.mustAct || options.expiring)
      if (options.watch && options.exitCode) throw usage('--exit-code can’t be combined with --watch, which never ends.')
      if (!options.watch) {
        const overview = await readOverview(context, filters)
        show(overview, context.json, narrowed)
        if (options.exitCode && isWrong(overview, narrowed)) process.exitCode = EXIT.attention
        return
      }
      for (;;) {
        try {
          const overview = await readOverview(context, filters)
          if (process.stdout.isTTY && !context.json) say`\u001b[2J\u001b[H`
          if (context.json) sayDocument(overview)
          else say`${readable(overview, narrowed)}\n`
        } catch (error) {
          note`${explain(error, context.url, context.credential)}\n` // the next look may do better
        }
        await sleep(Math.max(1, Number(options.every) || 10) * 1000)
      }
    })
}

/** Who asks for certain integrations wants to know that there are some. */
const isWrong = ({ frozen, integrations }: Overview, narrowed: boolean): boolean =>
  frozen !== null || (narrowed ? integrations.length > 0 : integrations.some(({ status }) => status === 'error'))

function daysOf(text: string): number {
  const days = Number(/^(\d{1,2})d?$/.exec(text)?.[1])
  if (!(days >= 1 && days <= 90)) throw usage('--expiring takes 1 to 90 days, such as 14d.')
  return days
}

function show(overview: Overview, json: boolean, narrowed: boolean): void {
  if (json) print(overview, true)
  else say`${readable(overview, narrowed)}\n`
}

async function readOverview(context: Context, filters: StatusFilters): Promise<Overview> {
  const [frozen, integrations] = await Promise.all([readFrozen(context), readRows(context, filters)])
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

/** Of one workspace when a flag names it, else of all that can be seen: one call for every 200 of them. */
async function readRows(context: Context, { workspace, ...filters }: StatusFilters): Promise<StatusRow[]> {
  const orgSlug = context.org()
  const rows: StatusRow[] = []
  try {
    for (let cursor: string | undefined; ; ) {
      const page = await context.client.listOrganizationIntegrations({
        orgSlug,
        ...filters,
        ...(workspace && { workspace }),
        ...(cursor && { cursor }),
        sort: 'workspace',
        limit: PAGE,
      })
      for (const { workspace, health, ...one } of page.integrations)
        rows.push({ ...one, workspace: workspace.slug, accessEndsAt: health.grantEndsAt, why: whyOf(one, workspace.slug) })
      if (!page.nextCursor || page.nextCursor === cursor) return rows
      cursor = page.nextCursor
    }
  } catch (error) {
    // Keys of a workspace can't search the organization, but they can list their own.
    const refused = error instanceof ProblemError && error.status < 500 && error.status !== 429
    if (!refused || !workspace || filters.expiringWithin) throw error
    const { integrations } = await context.client.listIntegrations({ orgSlug, workspaceSlug: workspace })
    return integrations
      .filter(({ mustAct }) => !filters.mustAct || mustAct === filters.mustAct)
      .map((one) => ({ ...one, workspace, why: whyOf(one, workspace) }))
  }
}

/** The service's own sentence; for one that was not tried yet, what became of its link. */
function whyOf({ id, status, statusDetail, lastError, connectLink, mustAct }: ListedIntegration, workspace: string): string | null {
  if (status === 'disabled') return null
  if (status !== 'pending' || lastError) return statusDetail ?? lastError
  const issue = `adjoin integrations link ${id} --workspace ${workspace}`
  if (!connectLink && mustAct === 'client') return 'part of a connect request; see adjoin requests list'
  if (!connectLink) return `no connect link; issue one: ${issue}`
  return connectLink.expired
    ? `connect link expired; issue a new one: ${issue}`
    : `connect link valid until ${connectLink.expiresAt.slice(0, 10)}`
}

const ORDER = ['error', 'pending', 'active', 'disabled']

function readable({ frozen, integrations }: Overview, narrowed: boolean): Safe {
  if (!frozen) return health(integrations, narrowed)
  const words = `Frozen since ${frozen.at.slice(0, 16).replace('T', ' ')} UTC by ${frozen.by}: ${frozen.reason}`
  const meaning = 'Nothing is sent to ad systems. An admin can unfreeze the organization: adjoin thaw'
  return safe`${paint('red', words)}\n${meaning}\n\n${health(integrations, narrowed)}`
}

function health(rows: StatusRow[], narrowed: boolean): Safe {
  if (!rows.length && narrowed) return paint('dim', 'No integrations match.')
  if (!rows.length) return paint('dim', 'No integrations yet. Create one: adjoin connect google_ads --name "Search"')
  const counts = ['active', 'pending', 'error', 'disabled'].map(
    (status) => `${rows.filter((row) => row.status === status).length} ${status}`,
  )
  const sorted = rows.toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status))
  return safe`${counts.join(' · ')}\n\n${statusTable(sorted)}`
}
