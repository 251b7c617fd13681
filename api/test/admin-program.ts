// The real `adjoin-admin` in a process of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { PATIENT_PROGRAM } from './patience.ts'
import type { World } from './world.ts'

const program = fileURLToPath(new URL('../bin/adjoin-admin.mjs', import.meta.url))

export interface ProgramResult {
  code: number
  out: string
  err: string
}

export async function runAdmin(args: string[], env: Record<string, string | undefined>, input = ''): Promise<ProgramResult> {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, NODE_ENV: 'test', ...PATIENT_PROGRAM, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.on('error', () => {}).end(input)
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => (out += chunk))
  child.stderr.on('data', (chunk) => (err += chunk))
  const [code] = await once(child, 'close')
  return { code: code as number, out, err }
}

export const ringOf = ({ config }: World): string => config.sealKeys!.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(',')

/** The environment of a world's service, for the command beside it. */
export const environmentOf = (world: World) => ({
  DATABASE_URL: world.config.databaseUrl,
  SEAL_KEYS: ringOf(world),
  PUBLIC_URL: world.url,
})
