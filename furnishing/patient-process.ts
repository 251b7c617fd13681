// `node --import` this before a program.
import { bePatient } from './patience.ts'

bePatient()
