import * as z from 'zod'
import { Flag, Id, named, Timestamp } from './fields.ts'

const Ending = named(
  'Ending',
  z.object({
    id: Id,
    name: z.string(),
    lastUsedAt: Timestamp.nullable().describe('When it was last used, as far as that is known'),
  }),
)

/** What a change would end, for those who ask before they make it. */
export const Impact = named(
  'Impact',
  z.object({
    wouldEnd: z.object({
      apiKeys: z.array(Ending),
      integrations: z.array(Ending),
      connectLinks: z.array(Ending).describe('By the integration that they are for'),
      invitations: z.array(Ending).describe('By the email address that they were sent to'),
      webhooks: z.array(Ending),
      providerAccess: z.array(Ending),
    }),
  }),
)

/** As a verb gives it: dates are Dates. */
export type Impact = z.input<typeof Impact>

export const DryRun = Flag.optional().describe('With `true`, answers 200 with what would end; nothing is changed or recorded')
