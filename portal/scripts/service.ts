import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../furnishing/free-port.ts'
import { type MailMessage, mailTo } from '../../furnishing/front-door.ts'

const MAIN = fileURLToPath(new URL('../../api/src/main.ts', import.meta.url))

export type PortalService = { url: string; mailTo: (address: string, after?: Date) => Promise<MailMessage>; stop: () => Promise<void> }

/** The service as a user starts it, in a data folder of its own that goes when it stops. */
export async function startService(settings: (url: string) => Promise<Record<string, string>> = async () => ({})): Promise<PortalService> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const folder = mkdtempSync(join(tmpdir(), 'adjoin-portal-'))
  const child = spawn(process.execPath, [MAIN], {
    // One browser does the work of many people, so the limits are those of an office.
    env: {
      ...process.env,
      NODE_ENV: 'development',
      PORT: String(port),
      PUBLIC_URL: url,
      DATA_DIR: folder,
      LIMITS_FACTOR: '20',
      LOG_LEVEL: 'warn',
      ...(await settings(url)),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stdout.on('data', (chunk) => (said += chunk))
  child.stderr.on('data', (chunk) => (said += chunk))
  const stop = async () => {
    if (child.exitCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    rmSync(folder, { recursive: true, force: true })
  }
  for (let tries = 0; !(await answers(url)); tries++) {
    if (child.exitCode !== null || tries > 1200) {
      await stop()
      if (said.includes(`${port} is already in use`)) return startService(settings) // somebody was quicker
      throw new Error(`The service did not start:\n${said}`)
    }
    await pause(100)
  }
  return { url, stop, mailTo: (address, after) => mailTo(url, address, after) }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const answers = (url: string) =>
  fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  )
