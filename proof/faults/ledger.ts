// What was acknowledged, and whether it is still there:
// writes by their audit entries, mails by their arrival, sessions by their use.
import { auditTrail, type Client } from '@adjoin/contract'

export interface LoadLedger {
  /** Names of writes: each is used once, so that its audit entry is its receipt. */
  readonly tried: Set<string>
  readonly acknowledged: Set<string>
  /** Addresses whose mail was promised and has not come. */
  readonly awaited: Map<string, number>
  /** Tokens of sessions that somebody was given. */
  readonly sessions: string[]
  /** Reads what has been recorded since the last time, and tells what does not fit. */
  reconcile(client: Client, orgSlug: string): Promise<string[]>
}

export function createLedger(): LoadLedger {
  const [tried, acknowledged, awaited, sessions] = [new Set<string>(), new Set<string>(), new Map<string, number>(), [] as string[]]
  const entries = new Map<string, number>()
  let read = 0
  return {
    tried,
    acknowledged,
    awaited,
    sessions,
    async reconcile(client, orgSlug) {
      const known = [...acknowledged] // before the trail is read: others are being acknowledged meanwhile
      let newest = read
      for await (const { sequence, changes } of auditTrail(client, { orgSlug, action: 'workspace.updated', limit: 200 })) {
        if (sequence <= read) break
        newest = Math.max(newest, sequence)
        for (const { to } of changes) entries.set(String(to), (entries.get(String(to)) ?? 0) + 1)
      }
      read = newest
      const lost = known.filter((name) => !entries.has(name))
      const doubled = [...entries].filter(([, times]) => times > 1)
      const strangers = [...entries.keys()].filter((name) => !tried.has(name))
      return [
        ...(lost.length ? [`${lost.length} acknowledged writes lost (${lost[0]})`] : []),
        ...(doubled.length ? [`${doubled.length} writes made twice (${doubled[0]![0]})`] : []),
        ...(strangers.length ? [`${strangers.length} writes that nobody made`] : []),
      ]
    },
  }
}
