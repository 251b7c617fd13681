import * as z from 'zod'
import { Name } from './connect-public.ts'
import { Day, Language } from './connect-requests.ts'
import { atMost, LinkToken, named, Timestamp } from './fields.ts'
import { CallPolicy } from './gateway.ts'
import { operation } from './operation.ts'
import { callOutcomes } from './providers.ts'

const inReceipt = z.object({ token: LinkToken })

const Receipt = named(
  'Receipt',
  z.object({
    state: z.enum(['connected', 'disconnected', 'ended']).describe('`disconnected`: by the client; `ended`: on the agreed day'),
    organization: Name,
    workspace: Name,
    provider: z.string(),
    providerName: z.string(),
    name: z.string(),
    language: Language.nullable(),
    unfinished: z.boolean().describe('Access was given, but something is missing until it can be used'),
    account: z.string().nullable(),
    connectedAt: Timestamp,
    endedAt: Timestamp.nullable(),
    permissions: z.array(z.string()).describe('What was granted at the ad system, in its words'),
    accessUntil: Day.nullable(),
    callPolicy: CallPolicy.describe('What the agency’s software may do'),
    usage: z
      .array(z.object({ month: z.string().describe('Of UTC, such as 2026-11'), reads: z.int(), changes: z.int() }))
      .describe('What it has done since, month by month, newest first'),
    lastChanges: atMost(
      10,
      z.object({
        at: Timestamp,
        method: z.string(),
        path: z.string(),
        account: z.string().nullable(),
        outcome: z.enum(callOutcomes).nullable(),
      }),
    ).describe('The newest changes, at most 10'),
  }),
)

export const receipts = {
  getReceipt: operation({
    summary: 'Show what was connected, for whom, and what has been done with it',
    description: 'Valid until the same integration is connected again.',
    params: inReceipt,
    ok: Receipt,
  }),
  disconnectByReceipt: operation({
    summary: 'End the connection',
    description:
      'Revokes access at the ad system if it supports that, and destroys the sealed credential. Works while the organization is frozen.',
    params: inReceipt,
    ok: Receipt,
    records: ['integration.disconnected'],
    refuses: ['receipt_closed'],
  }),
}
