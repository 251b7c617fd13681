/**
 * Whose trail it is, as its entries say it:
 * what is about the organization itself names its id, and the first entry its slug.
 */
export interface TrailOrganization {
  readonly id: string
  /** Null where the beginning of the trail is missing. Slugs never change. */
  readonly slug: string | null
  readonly name: string | null
}

/** What an entry says of it; nothing where the entry is about something else. */
export function namedBy(entry: object): TrailOrganization | null {
  const { action, target, metadata } = entry as {
    action?: unknown
    target?: Partial<EntryTarget> | null
    metadata?: { slug?: unknown } | null
  }
  if (target?.type !== 'organization' || typeof target.id !== 'string') return null
  const slug = action === 'organization.created' && typeof metadata?.slug === 'string' ? metadata.slug : null
  return { id: target.id, slug, name: typeof target.name === 'string' ? target.name : null }
}
interface EntryTarget {
  type: unknown
  id: unknown
  name: unknown
}

const ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/**
 * Why a trail is not that of the organization asked for, given by slug or id; undefined:
 * it is. What looks like an id is never taken as a slug.
 */
export function organizationMismatch(asked: string, found: TrailOrganization | null): string | undefined {
  if (!found) return 'This trail does not name its organization. Export it without filters, or add a checkpoint.'
  if (ID.test(asked)) return asked.toLowerCase() === found.id ? undefined : `This is the trail of ${nameOf(found)}, not of ${asked}.`
  if (found.slug === null) return `The start of this trail is missing, and with it the slug. Use the id of ${asked} instead.`
  return asked === found.slug ? undefined : `This is the trail of ${nameOf(found)}, not of ${asked}.`
}

/** For people: the name, and what tells it from another of that name. */
export const nameOf = ({ id, slug, name }: TrailOrganization): string => {
  const sure = slug === null ? id : `${slug}, ${id}`
  return name === null ? sure : `${name} (${sure})`
}
