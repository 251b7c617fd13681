// Loaded before a program: every pool that it opens is patient.
import { DEFAULT_TIMEOUTS } from '../src/db/timeouts.ts'
import { PATIENT } from './patience.ts'

Object.assign(DEFAULT_TIMEOUTS, PATIENT)
