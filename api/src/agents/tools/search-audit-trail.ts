import * as z from 'zod'
import { placeOf } from '../places.ts'
import { NOTICE, Notice, Organization, tool } from '../tool.ts'

const Entry = z.object({
  at: z.string(),
  action: z.string(),
  outcome: z.string(),
  actor: z.string(),
  target: z.string(),
  client: z.string().nullable(),
  changes: z.array(z.object({ field: z.string(), from: z.unknown(), to: z.unknown() })),
  metadata: z.record(z.string(), z.unknown()),
})

export const searchAuditTrail = tool({
  name: 'search_audit_trail',
  title: 'Search the audit trail',
  description:
    'Searches the organization’s audit trail, newest first: who did what, when, to which integration, key or member. Only admins’ credentials may ' +
    'read it. Use it to explain why something changed; use integration_health for the state of a connection.',
  input: z.strictObject({
    organization: Organization,
    action: z.string().max(64).optional().describe('A kind such as `integration.disabled`, or a group such as `integration.*`'),
    actor: z.string().max(320).optional().describe('Email address, or ID of a user or key'),
    targetId: z.string().max(128).optional().describe('ID of what was changed: the last part of an `integration` value'),
    workspace: z.string().max(63).optional().describe('Slug of a workspace'),
    from: z.iso.datetime({ offset: true }).optional(),
    to: z.iso.datetime({ offset: true }).optional(),
    cursor: z.string().max(1024).optional().describe('`nextCursor` of the previous page'),
    limit: z.int().min(1).max(100).default(25),
  }),
  output: z.object({ notice: Notice, entries: z.array(Entry), nextCursor: z.string().nullable() }),
  operations: ['listAuditLogs'],
  openWorld: false,
  async run({ organization, ...query }, asking) {
    const { orgSlug } = await placeOf(asking, organization)
    const { auditLogs, nextCursor } = await asking.ask('listAuditLogs', { params: { orgSlug }, query })
    const entries = auditLogs.map(({ createdAt, action, outcome, actor, target, workspace, changes, metadata }) => ({
      at: createdAt,
      action,
      outcome,
      actor: [actor.type, actor.name ?? actor.email ?? actor.id].filter(Boolean).join(' '),
      target: [target.type, target.name ?? target.id].join(' '),
      client: workspace?.name ?? null,
      changes,
      metadata,
    }))
    return { notice: NOTICE, entries, nextCursor }
  },
})
