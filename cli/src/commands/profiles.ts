import type { Command } from 'commander'
import type { Flags } from '../context.ts'
import { print } from '../output.ts'
import { DEFAULT_PROFILE, profilesOf } from '../saved.ts'
import { table } from '../table.ts'
import { hasFormat, useFormat } from '../template.ts'
import { paint, say } from '../terminal.ts'

/** Several logins side by side: production and staging, two agencies, a person and a key. */
export function addProfiles(program: Command, env: NodeJS.ProcessEnv): void {
  program
    .command('profiles')
    .description('List the saved logins')
    .addHelpText(
      'after',
      '\nExamples:\n  adjoin login --profile staging --url https://staging.agency.example\n  adjoin status --profile staging\n  adjoin profiles',
    )
    .action((_: object, command: Command) => {
      const { json, profile, ...flags } = command.optsWithGlobals<Flags>()
      useFormat(flags)
      const current = profile ?? (env.ADJOIN_PROFILE || DEFAULT_PROFILE)
      const rows = profilesOf(env).map(({ name, url, org, workspace, apiKey, token }) => ({
        name,
        current: name === current,
        url: url ?? null,
        organization: org ?? null,
        workspace: workspace ?? null,
        signedInWith: apiKey ? 'API key' : token ? 'session' : null,
      }))
      if (json || hasFormat()) return print({ profiles: rows }, true)
      if (!rows.length) return say`${paint('dim', 'No saved logins. Run `adjoin login`.')}\n`
      say`${table(rows, ['name', 'current', 'url', 'organization', 'workspace', 'signedInWith'])}\n`
    })
}
