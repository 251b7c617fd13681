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
    signInProviders: z.array(z.enum(identityProviders)).describe('The identity providers that are set up here, beside the mailed link'),
  }),
)

export const infra = {
  getHealth: operation({
    summary: 'Is the service ready?',
    description: 'Readiness: 503 with `checks` while the service must get no requests. A balancer asks here.',
    ok: Health,
    refuses: ['unavailable'],
  }),
  getLiveness: operation({
    summary: 'Does the process live?',
    description: 'Stays 200 through a database outage, so that an orchestrator does not restart what only has to wait.',
    ok: named('Liveness', z.object({ status: z.literal('ok') })),
  }),
  getVersion: operation({ summary: 'Which build is this?', ok: Version }),
  getOpenApi: operation({
    summary: 'This description',
    description: 'It changes with an upgrade only: send its `ETag` back in `If-None-Match`, and the answer is 304 without a body.',
    ok: z.record(z.string(), z.unknown()),
    constant: true,
  }),
}
