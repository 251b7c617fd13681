import { spawn } from 'node:child_process'
import { note } from './terminal.ts'

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** An address that may be handed on: https, or http on this machine. Any other scheme may start a program. */
export function webAddress(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || url.username || url.password) return null
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname)) ? url.href : null
}

export function openBrowser(text: string): void {
  const address = webAddress(text)
  if (!address) {
    note`Not opened, because it is neither https nor on this machine: ${text}\nOpen it yourself only if you trust it.\n`
    return
  }
  const command = process.platform === 'darwin' ? 'open' : process.platform === 'win32' ? 'explorer' : 'xdg-open'
  spawn(command, [address], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
