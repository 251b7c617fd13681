import * as z from 'zod'
import { line, Text, Url } from './fields.ts'

/** What is sent when an integration is created, alone or with others. */
export const Settings = z.record(Text.max(64), z.unknown()).describe('Settings of the ad system, validated against its settings fields')
export const ReturnUrl = Url.describe('Where to send the client afterwards: an https URL (http only on localhost in development)')
export const ExpectedAccount = line(1, 320).describe('The only account that may connect: its id or email address')
