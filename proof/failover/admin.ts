// adjoin-admin in a process of its own, as operators run it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../api/src/admin/main.ts', import.meta.url))

/** What it said; throws if it failed. */
export async function runAdmin(env: Record<string, string>, args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env['PATH'], SANDBOX: 'false', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`adjoin-admin ${args.join(' ')} ended with ${code}: ${output.slice(-800)}`)
  return output.trim()
}
