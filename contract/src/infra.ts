import * as z from 'zod'
import { identityProviders } from './account.ts'
import { named } from './fields.ts'
import { operation } from './operation.ts'

const Check = z.enum(['ok', 'degraded', 'down'])
export const Health = named(
  'Health',
  z.object({ status: z.enum(['ok', 'degraded']), checks: z.object({ database: Check, mailer: Check, jobs: Check }) }),
)
export const Version = named(
  'Version',
  z.object({
    version: z.string(),
    commit: z.string(),
    builtAt: z.string().nullable(),
    apiVersion: z.string(),
    signInProviders: z
      .array(z.enum(identityProviders))
      .describe('The identity providers that are set up here, in addition to the emailed link'),
  }),
)

export const infra = {
  getHealth: operation({
    summary: 'Check whether the service is ready',
    description: 'Readiness probe for load balancers: 503 with `checks` while the service must not get requests.',
    ok: Health,
    refuses: ['unavailable'],
  }),
  getLiveness: operation({
    summary: 'Check whether the process is alive',
    description:
      'Liveness probe: stays 200 during a database outage, so that an orchestrator does not restart a process that only has to wait.',
    ok: named('Liveness', z.object({ status: z.literal('ok') })),
  }),
  getVersion: operation({ summary: 'Show version and build', ok: Version }),
  getOpenApi: operation({
    summary: 'Get the OpenAPI document',
    description: 'It only changes with an upgrade. Send its `ETag` in `If-None-Match` to get 304 without a body.',
    ok: z.record(z.string(), z.unknown()),
    constant: true,
  }),
}
