// `--jq '.integrations[].id'`: through the jq of this machine. What it understands, its own documentation says:
// a second jq inside of ours would be one that people know only nearly.
import { spawnSync } from 'node:child_process'
import { usage } from './failure.ts'
import { withoutControls } from './terminal.ts'

const MOST_BYTES = 256 << 20

/** Its lines; texts without their quotation marks. Behind a blank, a filter that begins with a minus is no option. */
export function filteredBy(filter: string, value: unknown): string[] {
  const { stdout, stderr, error, status } = spawnSync('jq', ['--raw-output', ` ${filter}`], {
    input: JSON.stringify(value),
    encoding: 'utf8',
    maxBuffer: MOST_BYTES,
  })
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT')
    throw usage(
      '--jq needs the program jq, which is not installed here. Install it (https://jqlang.org/download), or use --template or --json.',
    )
  if (error || status !== 0) throw usage(`--jq: ${withoutControls(stderr?.trim() || error?.message || `jq ended with ${status}`)}`)
  const lines = stdout.split('\n').slice(0, -1)
  return process.stdout.isTTY ? lines.map(withoutControls) : lines
}
