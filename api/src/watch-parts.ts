// What metrics ask the parts of a process for, whenever somebody reads them.
import type { Parts } from './call.ts'
import { checkpointAge } from './features/audit/write-checkpoints.ts'
import { quotasToday } from './features/gateway/shared-quota.ts'
import { checkReadiness, type ReadinessProbe } from './features/infra/index.ts'
import { countDue, longestDue } from './features/integrations/keep-healthy.ts'
import { jobsLoad } from './jobs/queue.ts'
import { droppedLogLines } from './log-output.ts'
import { type Metrics, watchCheckpoints, watchChecks, watchHealth, watchLoad, watchLog, watchQuotas } from './metrics.ts'

export interface Watched {
  readonly overload: { readonly inFlight: number }
  readonly probe: ReadinessProbe
  checksRunning(): number
}

export function watchParts(metrics: Metrics, parts: Parts, { overload, probe, checksRunning }: Watched): void {
  watchLog(metrics, droppedLogLines)
  watchQuotas(metrics, () => quotasToday(parts))
  watchCheckpoints(metrics, () => checkpointAge(parts))
  watchChecks(
    metrics,
    () => countDue(parts),
    () => longestDue(parts),
    checksRunning,
  )
  watchLoad(
    metrics,
    parts.db,
    () => overload.inFlight,
    () => jobsLoad(parts.db.query),
  )
  watchHealth(metrics, () => checkReadiness(parts, probe))
}
