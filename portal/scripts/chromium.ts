import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

const SYSTEM = '/usr/bin/chromium'

/** A Chromium: named, the system's, Playwright's own, or installed now. Undefined where none can be had. */
export function findChromium(): string | undefined {
  return [process.env.CHROMIUM, SYSTEM, chromium.executablePath()].find((path) => path && existsSync(path)) ?? install()
}

function install(): string | undefined {
  const root = process.getuid?.() === 0
  if (root && spawnSync('apt-get', ['--version']).status === 0) {
    const apt = (...args: string[]) => spawnSync('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=300', ...args], { stdio: 'ignore' })
    apt('update')
    apt('install', '-y', 'chromium')
    if (existsSync(SYSTEM)) return SYSTEM
  }
  try {
    execFileSync('npx', ['playwright-core', 'install', 'chromium'], { stdio: 'ignore', timeout: 300_000 })
  } catch {
    return undefined
  }
  return existsSync(chromium.executablePath()) ? chromium.executablePath() : undefined
}

export const launch = (executablePath: string) => chromium.launch({ executablePath, args: FLAGS })

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
