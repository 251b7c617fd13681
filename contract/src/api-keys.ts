import * as z from 'zod'
import { ABSENT, Cursor, Id, inOrganization, line, named, OlderCursor, OrganizationRole, Slug, Timestamp, WorkspaceRole } from './fields.ts'
import { DryRun } from './impact.ts'
import { shareOf } from './limits.ts'
import { operation } from './operation.ts'

export const keyLevels = ['user', 'organization', 'workspace'] as const
export type KeyLevel = (typeof keyLevels)[number]
export const keyStatuses = ['active', 'disabled', 'expired', 'revoked'] as const
export type KeyStatus = (typeof keyStatuses)[number]

const level = z.enum(keyLevels)
const ExpiresInDays = z.int().min(1).max(365)

export const ApiKey = named(
  'ApiKey',
  z.object({
    id: Id,
    name: z.string(),
    prefix: z.string().describe('The first 15 characters, for display'),
    level,
    role: WorkspaceRole.nullable(),
    workspace: z.string().optional().describe('Workspace name (workspace-level keys)'),
    workspaceSlug: z.string().optional(),
    creatorEmail: z.string(),
    status: z.enum(keyStatuses).describe('Effective status: `expired` once the expiry has passed'),
    createdAt: Timestamp,
    expiresAt: Timestamp.nullable().describe('`null` if it never expires'),
    lastRequest: Timestamp.optional(),
    replacedAt: Timestamp.optional().describe('When it was rotated. Until it expires it keeps working, beside its replacement'),
    replacedBy: Id.optional().describe('The key that replaced it'),
  }),
)

export const MintedApiKey = named('MintedApiKey', ApiKey.extend({ key: z.string().describe('The raw key, shown exactly once') }))

const CurrentApiKey = named(
  'CurrentApiKey',
  ApiKey.extend({
    organization: z.object({ slug: z.string(), name: z.string() }),
    effectiveRole: OrganizationRole.describe('The role the key has now: its own, or its creator’s if that is lower or the key has none'),
  }),
)

const name = line(1, 100)
const expiresInDays = ExpiresInDays.optional().describe('Days until the key expires; it never does if you leave this out')
/** Not of this level; said in words, since other levels have it. */
const leftOut = (kind: string) =>
  z
    .custom<undefined>((value) => value === undefined, `must be left out for ${kind} key`)
    .meta({ [ABSENT]: true })
    .optional()

/** One shape for each level. */
const CreateApiKey = named(
  'CreateApiKey',
  z.discriminatedUnion(
    'level',
    [
      z.strictObject({ name, level: z.literal('user'), role: leftOut('a user'), workspaceSlug: leftOut('a user'), expiresInDays }),
      z.strictObject({
        name,
        level: z.literal('organization'),
        role: WorkspaceRole,
        workspaceSlug: leftOut('an organization'),
        expiresInDays,
      }),
      z.strictObject({ name, level: z.literal('workspace'), role: WorkspaceRole, workspaceSlug: Slug, expiresInDays }),
    ],
    {
      error: ({ input }) =>
        (input as { level?: unknown } | null | undefined)?.level === undefined ? 'is required' : `must be one of ${keyLevels.join(', ')}`,
    },
  ),
)

/** More than an organization has live; the ended ones of late fill the rest. */
export const LISTED_KEYS = 1000

const inKey = inOrganization.extend({ id: Id })

const ApiKeyUsage = named(
  'ApiKeyUsage',
  z.object({
    tool: z.string().describe('The tool that an agent called; more may be added'),
    workspace: z.string().nullable().describe('Slug of the client’s workspace; null: it was not about one client'),
    outcome: z.enum(['ok', 'refused', 'failed']).describe('`refused` by Adjoin, `failed` at the ad system'),
    calls: z.int(),
    last: Timestamp.describe('The hour of the last one'),
  }),
)

export const apiKeys = {
  getCurrentApiKey: operation({ summary: 'Show the key I am using and what it can do', ok: CurrentApiKey }),
  listApiKeys: operation({
    summary: 'List the API keys I can see, newest first',
    description: `Lists every key that is not revoked or expired, and the newest others up to ${LISTED_KEYS}; older ones follow \`nextCursor\`.`,
    params: inOrganization,
    query: z.strictObject({ status: z.enum(keyStatuses).optional(), cursor: Cursor.optional() }),
    ok: z.object({ apiKeys: z.array(ApiKey).max(LISTED_KEYS), nextCursor: OlderCursor }),
    refuses: ['invalid_cursor'],
  }),
  createApiKey: operation({
    summary: 'Create an API key',
    description:
      'A `user` key takes neither role nor workspace; an `organization` key takes a role; a `workspace` key takes both. ' +
      shareOf('liveApiKeys', 'live keys'),
    params: inOrganization,
    body: CreateApiKey,
    created: MintedApiKey,
    location: 'getApiKey',
    shownOnce: ['key'],
    records: ['api_key.created'],
    refuses: ['above_own_role', 'quota_reached'],
  }),
  getApiKey: operation({ summary: 'Show an API key', params: inKey, ok: ApiKey }),
  getApiKeyUsage: operation({
    summary: 'Show where an API key was used from, and what agents asked for with it',
    description: 'Calls of tools through `/mcp`, by tool and client, the most frequent first, at most 1000 lines. Kept for 90 days.',
    params: inKey,
    query: z.strictObject({ days: z.coerce.number().int().min(1).max(90).default(30).describe('How many days back') }),
    ok: z.object({
      usage: z.array(ApiKeyUsage).max(1000),
      lastRequestIp: z.string().nullable().describe('The address that the key was last used from; null: it was not used yet'),
    }),
  }),
  updateApiKey: operation({
    summary: 'Rename an API key',
    params: inKey,
    body: named('UpdateApiKey', z.strictObject({ name: line(1, 100) })),
    ok: ApiKey,
    records: ['api_key.updated'],
  }),
  revokeApiKey: operation({
    summary: 'Revoke an API key permanently',
    description: 'Once this request is answered, no replica accepts the key.',
    preview: true,
    params: inKey,
    query: z.strictObject({ dryRun: DryRun }),
    empty: true,
    records: ['api_key.revoked'],
  }),
  disableApiKey: operation({
    summary: 'Disable an API key until it is enabled again',
    params: inKey,
    ok: ApiKey,
    records: ['api_key.disabled'],
    refuses: ['key_revoked'],
  }),
  enableApiKey: operation({
    summary: 'Enable a disabled API key',
    params: inKey,
    ok: ApiKey,
    records: ['api_key.enabled'],
    refuses: ['key_revoked'],
  }),
  rotateApiKey: operation({
    summary: 'Create a replacement key and retire the old one',
    description:
      'The replacement has the same name and scope, and the caller becomes its owner. The old key is revoked immediately, or expires after the grace window, but never later than its own expiry. ' +
      'The new key has the same lifetime as the old one unless you send `expiresInDays`; if you rotate with a key, it can’t be longer than that. A key can rotate itself, even after its creator has left, but the replacement can’t invite people then.',
    params: inKey,
    body: named(
      'RotateApiKey',
      z
        .strictObject({
          graceHours: z.int().min(0).max(168).default(0).describe('Hours that the old key keeps working'),
          expiresInDays: ExpiresInDays.optional().describe('Days until the new key expires'),
        })
        .prefault({}),
    ),
    created: MintedApiKey,
    location: 'getApiKey',
    shownOnce: ['key'],
    records: ['api_key.rotated'],
    refuses: ['above_own_role', 'creator_gone', 'key_disabled', 'key_revoked', 'key_replaced', 'quota_reached'],
  }),
}
