import type { AuditKind, OperationId, Operations } from '@adjoin/contract'
import type { Tenant } from '../suite.ts'

export interface RecordingScenario {
  readonly run: () => Promise<unknown>
  /** The same, where it must not succeed. Browser flows answer with a status and a location either way. */
  readonly refused: () => Promise<unknown>
  /** What a success writes, where the operation may write one thing or another. */
  readonly writes?: readonly AuditKind[]
}

/** The operations that write audit entries. */
export type RecordingOperation = { [Id in OperationId]: Operations[Id] extends { records: readonly AuditKind[] } ? Id : never }[OperationId]

export type RecordingScenarios = { readonly [Id in RecordingOperation]: (tenant: Tenant) => Promise<RecordingScenario> }
