// Loaded before the service: its clock differs from everybody
// else's by what a file says, and changes when SIGUSR2 comes.
import { readFileSync } from 'node:fs'

const real = Date
const file = process.env['CLOCK_FILE']!
let apart = Number(readFileSync(file, 'utf8'))
process.on('SIGUSR2', () => {
  apart = Number(readFileSync(file, 'utf8'))
})

const now = () => real.now() + apart
globalThis.Date = new Proxy(real, {
  construct: (target, given, wanted) => Reflect.construct(target, given.length ? given : [now()], wanted),
  apply: () => new real(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
