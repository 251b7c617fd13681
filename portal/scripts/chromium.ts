import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

/** The first is the same browser without its windows, and a tenth quicker. */
const SYSTEM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

/** That none could be had is remembered for a while: every test file asks. */
const MISSED = join(tmpdir(), 'adjoin-no-chromium')
const TEN_MINUTES = 600_000

/** Names the process that installs one: what is there meanwhile may lack its fonts and libraries. */
const INSTALLING = join(tmpdir(), 'adjoin-installs-chromium')

/** A Chromium: named, the system's, Playwright's own, or installed now. Undefined where none can be had. */
export function findChromium(): string | undefined {
  for (;;) {
    while (isInstalling()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
    const found = present()
    if (found || missedLately()) return found
    if (claimInstall()) return install()
  }
}

function isInstalling(): boolean {
  try {
    process.kill(Number(readFileSync(INSTALLING, 'utf8')), 0)
    return true
  } catch {
    return false // nobody, or a process that was killed
  }
}

function claimInstall(): boolean {
  try {
    if (!isInstalling()) rmSync(INSTALLING, { force: true })
    writeFileSync(INSTALLING, `${process.pid}`, { flag: 'wx' })
    return true
  } catch {
    return false // another process was quicker
  }
}

const present = () => [process.env.CHROMIUM, ...SYSTEM, downloaded()].find((path) => path && existsSync(path))

function downloaded(): string | undefined {
  try {
    return chromium.executablePath()
  } catch {
    return undefined // a platform that Playwright has no browser for
  }
}

const missedLately = () => existsSync(MISSED) && Date.now() - statSync(MISSED).mtimeMs < TEN_MINUTES

function install(): string | undefined {
  if (process.getuid?.() === 0) {
    run('apt-get', '-qq', '-o', 'DPkg::Lock::Timeout=300', 'update')
    for (const program of ['chromium-headless-shell', 'chromium'])
      if (!present()) run('apt-get', '-qq', '-o', 'DPkg::Lock::Timeout=300', 'install', '-y', program)
  }
  if (!present()) run('npx', 'playwright-core', 'install', 'chromium')
  const found = present()
  if (!found) writeFileSync(MISSED, '')
  rmSync(INSTALLING, { force: true })
  return found
}

const run = (command: string, ...args: string[]) => spawnSync(command, args, { stdio: 'ignore', timeout: 300_000 })

export const launch = (executablePath: string) => chromium.launch({ executablePath, args: FLAGS })

/**
 * The popup of the address bar is an application of its own, loaded for every window, that no test
 * opens: without it a window takes half the time. Of two such lists Chromium reads the last, so what
 * Playwright turns off and a test could meet stands here again.
 */
const WITHOUT = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${WITHOUT.join()}`,
]
