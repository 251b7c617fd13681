export const filterNames = ['action', 'actor', 'workspace', 'from', 'to'] as const
export type AuditFilters = { [Name in (typeof filterNames)[number]]?: string }

/** The filters of the trail live in the address, so that a view can be sent to a colleague. */
export const auditFilters = (search: Record<string, unknown>): AuditFilters =>
  Object.fromEntries(filterNames.flatMap((name) => (typeof search[name] === 'string' && search[name] ? [[name, search[name]]] : [])))

/** Days as people choose them, in their own time zone; the last day counts in full. */
export function asQuery({ from, to, ...rest }: AuditFilters) {
  const start = from ? new Date(`${from}T00:00:00`) : undefined
  const end = to ? new Date(`${to}T23:59:59.999`) : undefined
  return { ...rest, ...(valid(start) && { from: start.toISOString() }), ...(valid(end) && { to: end.toISOString() }) }
}

const valid = (day: Date | undefined): day is Date => day !== undefined && !Number.isNaN(day.getTime())
