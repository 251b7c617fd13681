import { actors, integrationStatuses, type Output, providerIds } from '@adjoin/contract'
import * as z from 'zod'
import { refuse } from '../../refusal.ts'
import { inPlace, type Place, placeOf } from '../places.ts'
import { type Asking, NOTICE, Notice, Organization, refOf, tool } from '../tool.ts'

const Input = z.strictObject({
  organization: Organization,
  client: z.string().max(100).optional().describe('Words in the name of the client (workspace), the integration or its account'),
  workspace: z.string().max(63).optional().describe('Slug of one client’s workspace, from an earlier answer'),
  provider: z.enum(providerIds).optional(),
  status: z.enum(integrationStatuses).optional(),
  mustAct: z.enum(actors).optional().describe('Who must act: `client`, `agency`, `operator`, or `nobody` while it is retried'),
  expiringWithinDays: z.int().min(1).max(90).optional(),
  cursor: z.string().max(1024).optional().describe('`nextCursor` of the previous page'),
  limit: z.int().min(1).max(100).default(25),
})

const Found = z.object({
  integration: z.string().describe('Pass this to the other tools'),
  name: z.string(),
  client: z.string(),
  workspace: z.string(),
  provider: z.string(),
  status: z.enum(integrationStatuses),
  mustAct: z.enum(actors).nullable(),
  problem: z.string().nullable().describe('What is wrong, and what to do'),
  account: z.string().nullable().describe('The account that authorized access'),
  settings: z.record(z.string(), z.string()),
  calls: z.enum(['off', 'read', 'full']),
  accessEndsAt: z.string().nullable().optional(),
})

type Row = Output<'listIntegrations'>['integrations'][number]
type Query = z.output<typeof Input>

export const findIntegrations = tool({
  name: 'find_integrations',
  title: 'Find integrations',
  description:
    'Finds the connections to ad systems (Google Ads, Meta, The Trade Desk …) of all clients that you can see. Start here: the other tools take the ' +
    '`integration` value of its answer. Without filters, those that need attention come first. Use `status: error` or `mustAct` to find what is ' +
    'broken and who must act, `expiringWithinDays` for access that ends soon.',
  input: Input,
  output: z.object({ notice: Notice, integrations: z.array(Found), nextCursor: z.string().nullable() }),
  operations: ['listOrganizationIntegrations', 'listIntegrations'],
  openWorld: false,
  run: async (input, asking) =>
    inPlace(asking, await placeOf(asking, input.organization), (place) =>
      place.workspace ? inWorkspace(asking, place, place.workspace, input) : inOrganization(asking, place, input),
    ),
})

async function inOrganization(asking: Asking, { orgSlug }: Place, input: Query) {
  const { client, workspace, provider, status, mustAct, expiringWithinDays: expiringWithin, cursor, limit } = input
  const { integrations, nextCursor } = await asking.ask('listOrganizationIntegrations', {
    params: { orgSlug },
    query: { q: client, workspace, provider, status, mustAct, expiringWithin, cursor, limit },
  })
  const found = integrations.map((row) => ({ ...shown(orgSlug, row.workspace, row), accessEndsAt: row.health.grantEndsAt }))
  return { notice: NOTICE, integrations: found, nextCursor }
}

/** What a workspace key can list is one workspace, whole: it is narrowed here. */
async function inWorkspace(asking: Asking, { orgSlug }: Place, workspace: { slug: string; name: string }, input: Query) {
  if (input.expiringWithinDays)
    refuse('validation_failed', {
      detail:
        'A workspace-level key can’t filter by expiry. Leave out `expiringWithinDays`, and read `accessEndsAt` with integration_health.',
    })
  const { status, provider, mustAct, client } = input
  const { integrations } = await asking.ask('listIntegrations', {
    params: { orgSlug, workspaceSlug: workspace.slug },
    query: { status, provider },
  })
  const words = client?.toLowerCase() ?? ''
  const matching = integrations.filter(
    (row) =>
      (!mustAct || row.mustAct === mustAct) &&
      (!input.workspace || input.workspace === workspace.slug) &&
      [row.name, row.connectedAccount, workspace.name, row.providerName].some((text) => text?.toLowerCase().includes(words)),
  )
  const from = Number(input.cursor ?? 0) || 0
  const until = from + input.limit
  return {
    notice: NOTICE,
    integrations: matching.slice(from, until).map((row) => shown(orgSlug, workspace, row)),
    nextCursor: until < matching.length ? String(until) : null,
  }
}

/** Never the connect link: anyone who has it can connect. */
const shown = (orgSlug: string, workspace: { slug: string; name: string }, row: Row) => ({
  integration: refOf(orgSlug, workspace.slug, row.id),
  name: row.name,
  client: workspace.name,
  workspace: workspace.slug,
  provider: row.provider,
  status: row.status,
  mustAct: row.mustAct,
  problem: row.statusDetail ?? row.lastError,
  account: row.connectedAccount,
  settings: row.settings,
  calls: row.callPolicy.mode,
})
