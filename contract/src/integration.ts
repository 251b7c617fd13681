import * as z from 'zod'
import { Id, named, Timestamp } from './fields.ts'
import { CallPolicy } from './gateway.ts'
import { actors, integrationStatuses } from './providers.ts'

export const Status = z.enum(integrationStatuses)
export const Category = z.enum(['dsp', 'ssp', 'wg'])
export const AuthMethod = z.enum(['oauth', 'credentials'])
export const StatusReason = z
  .string()
  .nullable()
  .describe('A stable code for why the status is `error`, or for the last transient failure; more may be added')
export const MustAct = z
  .enum(actors)
  .nullable()
  .describe('Who must act: `nobody` if it is retried automatically, `null` if there is nothing to do')

export const Integration = named(
  'Integration',
  z.object({
    id: Id,
    workspaceId: z.string(),
    provider: z.string().describe('One of the provider values; an ad system that is no longer supported keeps its stored value'),
    providerName: z.string(),
    category: Category.nullable(),
    authMethod: AuthMethod.nullable(),
    name: z.string(),
    status: Status,
    statusDetail: z.string().nullable().describe('Why the status is `error`, and what to do'),
    statusReason: StatusReason,
    mustAct: MustAct,
    statusCheckedAt: Timestamp.nullable(),
    lastError: z.string().nullable().describe('The last transient failure, if any'),
    lastErrorAt: Timestamp.nullable(),
    settings: z.record(z.string(), z.string()),
    connectedAt: Timestamp.nullable(),
    connectedAccount: z.string().nullable().describe('The external account that authorized access'),
    expectedAccount: z.string().nullable().describe('The only account that may connect: its id or email address'),
    returnUrl: z.string().nullable().describe('Where the client is sent after authorizing'),
    accessUntil: z.string().meta({ format: 'date' }).nullable().describe('The day on which access ends automatically'),
    callPolicy: CallPolicy,
    connectLink: z
      .object({
        connectUrl: z.string().describe('Readable until the link is used or replaced'),
        expiresAt: Timestamp,
        expired: z.boolean(),
      })
      .nullable(),
    owner: z
      .object({ userId: Id, name: z.string() })
      .nullable()
      .describe('Who looks after it and gets its mails; null: its creator, else the workspace’s admins'),
    createdByEmail: z.string().nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)

const IntegrationHealth = named(
  'IntegrationHealth',
  z.object({
    since: Timestamp.describe('Since when the status is what it is'),
    uptime30d: z
      .number()
      .nullable()
      .describe('The share of checks in the last 30 days that the ad system accepted, among those it answered; `null` without checks'),
    grantEndsAt: Timestamp.nullable().describe('When access ends unless somebody connects again'),
    grantEnd: z
      .enum(['known', 'estimated', 'never'])
      .nullable()
      .describe('How sure `grantEndsAt` is; `never`: no end is known; `null` until the next check has looked'),
  }),
)

export const IntegrationWithHealth = named(
  'IntegrationWithHealth',
  Integration.extend({
    health: IntegrationHealth,
    connectRequestId: Id.nullable().describe('The open connect request that asks the client for it'),
  }),
)
