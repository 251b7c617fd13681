// What was tried and what came of it.
import type { Finding } from '../finding.ts'
import type { Draft } from './draft.ts'
import { groups } from './groups.ts'
import { bytesOf, type WireAnswer, type WireRequest } from './wire.ts'

interface RuleViolation {
  readonly fault: string
  sent: WireRequest
}

const MOST_TOLD = 25

export function createTally(operations: readonly string[]) {
  const spreads = new Map(groups.map(({ name }) => [name, { tried: 0, faults: 0, statuses: new Map<string, number>() }]))
  const reached = new Set<string>()
  const violations = new Map<string, RuleViolation>()
  const credentials = new Map<string, number>()
  let told = 0

  const count = (
    group: string,
    { operation, credential }: Draft,
    answers: readonly WireAnswer[],
    faults: readonly string[],
    sent: WireRequest,
  ) => {
    const spread = spreads.get(group)!
    const status = String(answers[0]?.status ?? 'none')
    spread.tried++
    spread.statuses.set(status, (spread.statuses.get(status) ?? 0) + 1)
    credentials.set(credential, (credentials.get(credential) ?? 0) + 1)
    if (Number(status) < 400) reached.add(operation.id)
    if (faults.length) spread.faults++
    for (const fault of faults) {
      const known = violations.get(fault)
      if (!known) violations.set(fault, { fault, sent })
      // Of many requests with one fault the shortest tells most.
      if (known && bytesOf(sent).length < bytesOf(known.sent).length) known.sent = sent
    }
  }

  function* findings(): Generator<Finding> {
    for (const [name, { tried, faults, statuses }] of spreads) {
      const spread = [...statuses].sort(([a], [b]) => a.localeCompare(b)).map(([status, times]) => `${status} × ${times}`)
      yield { tried: `${name}, ${tried} tried`, found: `${spread.join(', ')}; ${faults} violations`, good: faults === 0 && tried > 0 }
    }
    const classes = [...credentials].map(([name, times]) => `${name} × ${times}`)
    yield { tried: 'credentials', found: classes.join(', ') }
    const never = operations.filter((id) => !reached.has(id))
    yield {
      tried: 'operations that answered some spoilt request with success, so that more than the first door was tried',
      found: `${reached.size} of ${operations.length}${never.length ? `; not ${never.join(', ')}` : ''}`,
      good: reached.size >= operations.length * 0.9,
    }
  }

  return {
    count,
    findings,
    faults: () => [...spreads.values()].reduce((sum, { faults }) => sum + faults, 0),
    /** Kinds of violations that have not been told yet. */
    fresh: () => {
      const untold = [...violations.values()].slice(told, MOST_TOLD)
      told += untold.length
      return untold
    },
  }
}

/** A request in as many words as it takes to send it again; secrets are ours and of one run. */
export const describe = (sent: WireRequest): string => {
  const text = JSON.stringify(bytesOf(sent).toString('utf8'))
  return text.length > 700 ? `${text.slice(0, 700)}… (${text.length} characters)` : text
}
