import { actors, integrationStatuses, type Output } from '@adjoin/contract'
import * as z from 'zod'
import { IntegrationRef, NOTICE, Notice, paramsOf, tool } from '../tool.ts'

const CHECKS = 10

const Health = z.object({
  notice: Notice,
  integration: z.string(),
  name: z.string(),
  provider: z.string(),
  status: z.enum(integrationStatuses),
  statusSince: z.string(),
  mustAct: z.enum(actors).nullable(),
  problem: z.string().nullable(),
  whatToDo: z.string(),
  uptime30d: z.number().nullable().describe('Share of checks that the ad system accepted'),
  accessEndsAt: z.string().nullable(),
  calls: z.enum(['off', 'read', 'full']),
  lastChecks: z.array(
    z.object({ at: z.string(), outcome: z.string(), reason: z.string().nullable(), detail: z.string().nullable(), durationMs: z.int() }),
  ),
})

export const integrationHealth = tool({
  name: 'integration_health',
  title: 'Health of an integration',
  description:
    'Shows the health of one integration: its status, since when, who must act and what they must do, its last checks, and when its access ends. Use it ' +
    'when find_integrations shows a problem, or before you tell a person what to do. It doesn’t ask the ad system; checks run automatically.',
  input: z.strictObject({ integration: IntegrationRef }),
  output: Health,
  operations: ['getIntegration', 'listIntegrationChecks'],
  openWorld: false,
  async run({ integration }, asking) {
    const params = paramsOf(integration)
    const row = await asking.ask('getIntegration', { params })
    const { checks } = await asking.ask('listIntegrationChecks', { params, query: { limit: CHECKS } })
    return {
      notice: NOTICE,
      integration,
      name: row.name,
      provider: row.provider,
      status: row.status,
      statusSince: row.health.since,
      mustAct: row.mustAct,
      problem: row.statusDetail ?? row.lastError,
      whatToDo: whatToDo(row),
      uptime30d: row.health.uptime30d,
      accessEndsAt: row.health.grantEndsAt,
      calls: row.callPolicy.mode,
      lastChecks: checks.map(({ checkedAt, outcome, reason, detail, durationMs }) => ({
        at: checkedAt,
        outcome,
        reason,
        detail,
        durationMs,
      })),
    }
  },
})

/** Software issues no links and changes no settings: it tells people what to do. */
function whatToDo({ status, mustAct }: Output<'getIntegration'>): string {
  if (status === 'pending') return 'The client has not connected yet. Ask a member to send them the connect link, or a new one.'
  if (status === 'disabled') return 'It was disabled. Ask a member to enable it if it should work.'
  if (mustAct === 'client') return 'The client must reconnect. Ask a member to issue a connect link and send it to them.'
  if (mustAct === 'agency') return 'Ask a member of the workspace to correct its settings, then to verify it.'
  if (mustAct === 'operator') return 'Ask the operator of this Adjoin service.'
  if (mustAct === 'nobody') return 'Nothing: it is retried automatically. Look again later.'
  return 'Nothing.'
}
