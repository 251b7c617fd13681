// Loaded before a program: every service and every pool that it opens is patient.
import { DEFAULT_TIMEOUTS } from '../src/db/timeouts.ts'
import { DEFAULT_WAITS } from '../src/waits.ts'
import { PATIENT, PATIENT_WAITS } from './patience.ts'

Object.assign(DEFAULT_TIMEOUTS, PATIENT)
Object.assign(DEFAULT_WAITS, PATIENT_WAITS)
