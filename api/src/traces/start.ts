import type { TracesConfig } from '../config.ts'
import type { Log } from '../log.ts'
import type { Tracer } from '../tracer.ts'

/** Imported by name, and only where somebody looks: its modules take longer to load than many of ours. */
export async function startTracer({ endpoint, ...traces }: TracesConfig, version: string, log: Log): Promise<Tracer | undefined> {
  if (!endpoint) return undefined
  const { createTracer } = await import('./open-telemetry.ts')
  return createTracer({ ...traces, endpoint }, version, log)
}
