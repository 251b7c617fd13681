import * as z from 'zod'
import { line, Text, Url } from './fields.ts'
import { acceptableReturnUrl } from './trusted-url.ts'

/** What is sent when an integration is created, alone or with others. */
export const Settings = z.record(Text.max(64), z.unknown()).describe('Settings of the ad system, validated against its settings fields')
/** What the schema can't know is whether this is production, where http is refused on localhost, too. */
export const RETURN_URL_RULE = 'must be an https URL without a user name (http only on localhost in development)'
export const ReturnUrl = Url.refine((text) => text.length > 2048 || acceptableReturnUrl(text, true) !== null, RETURN_URL_RULE).describe(
  'Where to send the client afterwards: an https URL (http only on localhost in development)',
)
export const ExpectedAccount = line(1, 320).describe('The only account that may connect: its id or email address')
