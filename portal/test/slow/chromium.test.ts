import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { chromium } from '../in-browser.ts'

test.runIf(chromium)('a browser is not used until the process that installs it has ended, even if it was killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'adjoin-chromium-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const installer = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  onTestFinished(() => void installer.kill('SIGKILL'))
  writeFileSync(join(folder, 'adjoin-installs-chromium'), `${installer.pid}`)
  const asks = `import { findChromium } from '${new URL('../../scripts/chromium.ts', import.meta.url)}'; console.log('asks'); console.log(findChromium())`
  const finder = spawn(process.execPath, ['--input-type=module', '-e', asks], { env: { ...process.env, TMPDIR: folder } })
  onTestFinished(() => void finder.kill('SIGKILL'))
  let said = ''
  finder.stdout.on('data', (bytes) => {
    said += bytes
  })
  await expect.poll(() => said).toContain('asks')
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect(said).toBe('asks\n')
  installer.kill('SIGKILL')
  expect(await once(finder, 'close')).toEqual([0, null])
  expect(said).toBe(`asks\n${chromium}\n`)
})
