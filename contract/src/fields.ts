import * as z from 'zod'
import { normalizeEmail } from './email.ts'
import { isVisible } from './hidden-characters.ts'
import { organizationRoles, workspaceRoles } from './roles.ts'

/** The schemas that get a name in the OpenAPI document. Names are stable identifiers. */
export const schemas = z.registry<{ id: string }>()

export function named<S extends z.ZodType>(id: string, schema: S): S {
  schemas.add(schema, { id })
  return schema
}

/** Marks a field that one shape of several does not have, where its refusal has words of its own. */
export const ABSENT = 'x-absent'

/** PostgreSQL refuses NUL and silently replaces lone surrogates: no text with either gets past the door. */
export const storable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

export const Text = z.string().refine(storable, 'must be well-formed text without NUL characters')

/**
 * Something that a reader sees: no mark or format character alone,
 * no filler, no blank that calls itself a symbol.
 */
const VISIBLE = /(?!\p{Default_Ignorable_Code_Point}|[\u2800\ufffc\u{1d159}])[\p{L}\p{N}\p{P}\p{S}]/u

export const SEEN = 'must not contain invisible characters: type it instead of pasting it'

/**
 * A line of text that people read: normalized, counted in code points,
 * without control, direction-changing or invisible characters.
 */
export const line = (min: number, max: number) =>
  Text.trim()
    .overwrite(normalized(max))
    .refine((text) => !/[\p{Cc}\u2028\u2029]/u.test(text), 'must not contain control characters')
    .refine((text) => text.length > 2 * max || isVisible(text), SEEN)
    .refine((text) => count(text) >= min && count(text) <= max, `must have ${min} to ${max} characters`)
    .refine((text) => VISIBLE.test(text) || text === '', 'must contain at least one visible character')
    .meta({ minLength: min, maxLength: max })

/** A character is written with at most four. */
const LONGEST_SPELLING = 8

/**
 * In one spelling. Putting thousands of marks in order takes quadratic time:
 * what is too long in any spelling stays as it is, and is refused for its length.
 */
export const normalized = (max: number) => (text: string) => (text.length > max * LONGEST_SPELLING ? text : text.normalize('NFC'))

const count = (text: string) => [...text].length

export const Slug = z
  .string()
  .max(63)
  .regex(/^[a-z0-9][a-z0-9-]*$/, 'must contain only lowercase letters, digits and dashes, and start with a letter or digit')

export const Id = z.uuid()

/** Text on its way in is brought to one spelling first and checked after. */
export const Email = Text.max(320)
  .overwrite((text) => normalizeEmail(text) ?? text)
  .refine((text) => normalizeEmail(text) !== null, 'must be an email address such as ada@agency.example')
  .meta({ format: 'email' })

export const Url = Text.max(2048)

/** Verbs answer with a Date, clients read ISO 8601. What a Date writes is not checked, only described. */
export const Timestamp = z
  .date()
  .transform((date) => date.toISOString())
  .pipe(z.string().meta({ format: 'date-time' }))

/** A time in a request. The fraction of a second may be as long as people like, within reason. */
export const SentTime = z.iso.datetime({ offset: true }).max(64)

/** Yes or no, as a query writes it. */
export const Flag = z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' }).meta({ enum: ['true', 'false'] })

/** How a list is paged: at most so many, beginning where the page before ended. */
export const Cursor = Text.max(1024).describe('`nextCursor` of the previous page')
/** Of a list that is whole unless too much has ended. */
export const OlderCursor = z
  .string()
  .optional()
  .describe('If present, older ones that have ended were left out: send it as `cursor` to list them')
const LONGEST_PAGE = 200
export const Limit = z.coerce.number().int().min(1).max(LONGEST_PAGE).describe('Entries per page')
/** A page of them. */
export const page = <S extends z.ZodType>(entry: S) => atMost(LONGEST_PAGE, entry)

/** As many as the service keeps to: said in the document, and not checked again in every answer. */
export const atMost = <S extends z.ZodType>(most: number, entry: S) => z.array(entry).meta({ maxItems: most })

/** Names the request that asked for a code. A browser keeps it in a cookie instead. */
export const Challenge = z
  .string()
  .min(1)
  .max(128)
  .describe('A code works only with the `challenge` of the request that asked for it. Browsers get it as a cookie, valid for 10 minutes')

/** The token of a mailed or shared link. */
export const LinkToken = z.string().min(1).max(128)

export const OrganizationRole = named('OrganizationRole', z.enum(organizationRoles))
export const WorkspaceRole = named('WorkspaceRole', z.enum(workspaceRoles))
/** Whence a role in a workspace comes. */
export const AccessKind = z.enum(['inherited', 'assigned'])

export const inOrganization = z.object({ orgSlug: Slug })
export const inWorkspace = z.object({ orgSlug: Slug, workspaceSlug: Slug })
