import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** This Node, and whichever others are on the path, from 20 on: the packages must run on each. */
export function nodesAtHand(): { path: string; version: string }[] {
  const found = new Map([[process.version, process.execPath]])
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, 'node')
    if (!existsSync(path)) continue
    const version = spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout?.trim()
    if (Number(/^v(\d+)/.exec(version ?? '')?.[1]) >= 20 && !found.has(version!)) found.set(version!, path)
  }
  return [...found].map(([version, path]) => ({ path, version }))
}
