// How each change is made: once with success, once refused.
// The suites on audit entries, answers and secrets are derived from these tables.
import { connecting } from './recording/connecting.ts'
import { integrations } from './recording/integrations.ts'
import { organizations } from './recording/organizations.ts'
import { people } from './recording/people.ts'
import type { RecordingScenarios } from './recording/scenario.ts'

export type { RecordingOperation } from './recording/scenario.ts'

/** Whatever writes audit entries has a row in one of them. */
export const recordingOperations: RecordingScenarios = { ...people, ...organizations, ...integrations, ...connecting }
