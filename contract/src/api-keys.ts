import * as z from 'zod'
import { Id, inOrganization, line, named, OrganizationRole, Slug, Timestamp, WorkspaceRole } from './fields.ts'
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
    expiresAt: Timestamp.nullable().describe('null: never'),
    lastRequest: Timestamp.optional(),
  }),
)

export const MintedApiKey = named('MintedApiKey', ApiKey.extend({ key: z.string().describe('The raw key, shown exactly once') }))

const CurrentApiKey = named(
  'CurrentApiKey',
  ApiKey.extend({
    organization: z.object({ slug: z.string(), name: z.string() }),
    effectiveRole: OrganizationRole.describe(
      'What the key may do now: its own role, or its creator’s where the key has none or a higher one',
    ),
  }),
)

/** Which of the optional fields a level takes. */
const takes: Record<KeyLevel, readonly ('role' | 'workspaceSlug')[]> = {
  user: [],
  organization: ['role'],
  workspace: ['role', 'workspaceSlug'],
}

/** More than an organization has live; the ended ones of late fill the rest. */
export const LISTED_KEYS = 1000

const inKey = inOrganization.extend({ id: Id })

export const apiKeys = {
  getCurrentApiKey: operation({ summary: 'Which key am I, and what may I do?', ok: CurrentApiKey }),
  listApiKeys: operation({
    summary: 'The keys I may see, newest first',
    description: `Revoked and expired keys stay listed, so that the trail can be followed, until more than ${LISTED_KEYS} keys are newer.`,
    params: inOrganization,
    ok: z.object({ apiKeys: z.array(ApiKey).max(LISTED_KEYS) }),
  }),
  createApiKey: operation({
    summary: 'Mint a key',
    description:
      'A `user` key takes neither role nor workspace; an `organization` key takes a role; a `workspace` key takes both. ' +
      shareOf('liveApiKeys', 'live keys'),
    params: inOrganization,
    body: named(
      'CreateApiKey',
      z
        .strictObject({
          name: line(1, 100),
          level,
          role: WorkspaceRole.optional(),
          workspaceSlug: Slug.optional(),
          expiresInDays: ExpiresInDays.optional(),
        })
        .superRefine((body, context) => {
          for (const field of ['role', 'workspaceSlug'] as const) {
            const wanted = takes[body.level].includes(field)
            if (wanted === (body[field] !== undefined)) continue
            context.addIssue({ code: 'custom', path: [field], message: wanted ? 'is required' : `is not taken by a ${body.level} key` })
          }
        }),
    ),
    created: MintedApiKey,
    shownOnce: ['key'],
    records: ['api_key.created'],
    refuses: ['above_own_role', 'quota_reached'],
  }),
  getApiKey: operation({ summary: 'One key', params: inKey, ok: ApiKey }),
  updateApiKey: operation({
    summary: 'Rename a key',
    params: inKey,
    body: named('UpdateApiKey', z.strictObject({ name: line(1, 100) })),
    ok: ApiKey,
    records: ['api_key.updated'],
  }),
  revokeApiKey: operation({
    summary: 'Revoke a key for good',
    description: 'From this answer on no replica accepts the key.',
    params: inKey,
    empty: true,
    records: ['api_key.revoked'],
  }),
  disableApiKey: operation({
    summary: 'Disable a key for the time being',
    params: inKey,
    ok: ApiKey,
    records: ['api_key.disabled'],
    refuses: ['key_revoked'],
  }),
  enableApiKey: operation({
    summary: 'Enable a disabled key',
    params: inKey,
    ok: ApiKey,
    records: ['api_key.enabled'],
    refuses: ['key_revoked'],
  }),
  rotateApiKey: operation({
    summary: 'Mint a replacement key and retire the old one',
    description:
      'Same name and scope; the caller becomes the owner. The old key is revoked at once, or left to expire after the grace window, never past its own expiry. ' +
      'The new key lives as long as the old one was made to, unless `expiresInDays` says otherwise; rotated through a key, never longer. A key may rotate itself, also after its creator has left; it then stays unable to invite.',
    params: inKey,
    body: named(
      'RotateApiKey',
      z.strictObject({ graceHours: z.int().min(0).max(168).default(0), expiresInDays: ExpiresInDays.optional() }).prefault({}),
    ),
    created: MintedApiKey,
    shownOnce: ['key'],
    records: ['api_key.rotated'],
    refuses: ['above_own_role', 'creator_gone', 'key_disabled', 'key_revoked', 'key_replaced', 'quota_reached'],
  }),
}
