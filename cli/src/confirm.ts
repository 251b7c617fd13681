import { createInterface } from 'node:readline/promises'
import { usage } from './failure.ts'

export interface DeleteFlags {
  readonly workspace?: string
  readonly yes?: boolean
}

/**
 * A workspace takes everything in it along, so it must be named here and now:
 * a remembered one is somebody's yesterday.
 */
export async function confirmDeletion({ workspace, yes }: DeleteFlags): Promise<void> {
  if (!workspace) throw usage('Which workspace? Name the one to delete: adjoin workspaces delete --workspace SLUG')
  if (yes) return
  if (!process.stdin.isTTY)
    throw usage(
      `This deletes ${workspace} with its integrations, credentials and keys, and revokes access at the ad systems that support it. Add --yes to confirm.`,
    )
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await lines.question(
    `This deletes ${workspace} with its integrations, credentials and keys, and revokes access at the ad systems that support it. Type its slug to confirm: `,
  )
  lines.close()
  if (answer.trim() !== workspace) throw usage('That is not its slug. Nothing was deleted.')
}
