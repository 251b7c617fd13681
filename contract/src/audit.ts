import * as z from 'zod'
import { type AuditKind, auditEvents, targetTypes } from './audit-events.ts'
import { events } from './events.ts'
import { Cursor, Id, inOrganization, Limit, named, page, SentTime, Slug, Text, Timestamp } from './fields.ts'
import { operation } from './operation.ts'
import { webhooks } from './webhooks.ts'

const kinds = Object.keys(auditEvents) as [AuditKind, ...AuditKind[]]

/**
 * In an answer any word is let through:
 * during an upgrade an older process reads kinds that only the newer one knows.
 */
const Kind = z.string().describe('An audit kind such as `workspace.created`; more may be added') as unknown as z.ZodType<
  AuditKind,
  AuditKind
>

export const AuditEntry = named(
  'AuditEntry',
  z.object({
    id: Id,
    sequence: z.int(),
    action: Kind,
    outcome: z.enum(['success', 'failure']),
    actor: z.object({
      type: z.enum(['user', 'apiKey', 'client', 'system']),
      id: z.string().nullable(),
      email: z.string().nullable(),
      name: z.string().nullable(),
      keyPrefix: z.string().nullable(),
    }),
    target: z.object({ type: z.string(), id: z.string(), name: z.string().nullable() }),
    workspace: z.object({ slug: z.string(), name: z.string() }).nullable(),
    changes: z.array(z.object({ field: z.string(), from: z.unknown(), to: z.unknown() })),
    context: z.object({
      via: z.enum(['session', 'bearer', 'apiKey', 'connect', 'signIn', 'job']),
      ip: z.string().nullable(),
      userAgent: z.string().nullable(),
      requestId: z.string().nullable(),
    }),
    metadata: z.record(z.string(), z.unknown()),
    createdAt: Timestamp,
    hash: z.string().describe('SHA-256 over the previous hash, sequence, time and content; hexadecimal'),
    previousHash: z.string(),
  }),
)
export type AuditEntry = z.output<typeof AuditEntry>

const groups = [...new Set(kinds.map((kind) => `${kind.split('.')[0]}.*`))]

const filters = {
  action: z
    .enum([...kinds, ...groups], { error: 'must be an audit kind, or a group such as `api_key.*`' })
    .optional()
    .describe('An audit kind such as `api_key.created`, or a group such as `api_key.*`'),
  actor: Text.max(320).optional().describe('A user or key id, or an email address'),
  targetType: z.enum(targetTypes).optional().describe('What was changed, such as `integration` or `member`'),
  targetId: Text.max(128).optional().describe('The id of what was changed'),
  workspace: Slug.optional().describe('Slug of a workspace'),
  from: SentTime.optional().describe('Earliest time, such as 2026-01-31T12:00:00Z'),
  to: SentTime.optional().describe('Latest time, such as 2026-01-31T12:00:00Z'),
}

export const audit = {
  ...events,
  ...webhooks,
  listAuditLogs: operation({
    summary: 'List audit entries, newest first',
    params: inOrganization,
    query: z.strictObject({
      ...filters,
      cursor: Cursor.optional(),
      limit: Limit.default(50),
    }),
    ok: z.object({ auditLogs: page(AuditEntry), nextCursor: z.string().nullable() }),
    refuses: ['invalid_cursor'],
  }),
  exportAuditLogs: operation({
    summary: 'Export the whole audit trail as a file, oldest first',
    description:
      'Streams every entry, without a size limit, up to the one that records the export itself. In `ndjson` each line is an AuditEntry with its hashes, so ' +
      '`adjoin audit verify` can check the file offline. `csv` is for spreadsheets: text that could run as a formula starts with an apostrophe.',
    params: inOrganization,
    query: z.strictObject({ ...filters, format: z.enum(['ndjson', 'csv']).default('ndjson') }),
    stream: ['application/x-ndjson', 'text/csv'],
    records: ['audit.exported'],
  }),
  getAuditCheckpoint: operation({
    summary: 'Get a signed checkpoint of the newest entry',
    params: inOrganization,
    ok: named(
      'AuditCheckpoint',
      z.object({
        organizationId: Id,
        sequence: z.int(),
        hash: z.string(),
        createdAt: Timestamp,
        publicKey: z.string().describe('Ed25519, raw, base64url'),
        signature: z
          .string()
          .describe('Ed25519 over `adjoin-audit-checkpoint\\n<organizationId>\\n<sequence>\\n<hash>\\n<createdAt>`, base64url'),
      }),
    ),
  }),
}
