import { PATIENT_PROGRAM } from '../api/test/patience.ts'
import type { Size } from './finding.ts'

/**
 * Options of Node for a service whose proof is not about waiting. The small size runs where the tests run, beside
 * whatever else the machine does: there a few seconds without a processor make nothing wrong. The full size has the
 * machine for itself, and shows as well that nobody waits too long.
 */
export const patience = (size: Size): string => (size === 'small' ? PATIENT_PROGRAM.NODE_OPTIONS : '')
