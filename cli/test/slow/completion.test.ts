// In the shells themselves, with the real command line behind them. A shell that is not installed is skipped.
import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type TestOrganization, type World } from '../../../api/test/world.ts'
import { treeOf } from '../../src/completion/tree.ts'
import { candidates } from '../../src/completion/values.ts'
import type { Context } from '../../src/context.ts'
import { createProgram } from '../../src/program.ts'

const BIN = fileURLToPath(new URL('../../bin/adjoin.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'adjoin-completion-'))
const isThere = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0
const unlessMissing = (shell: string) => (isThere(shell) ? '' : ` (skipped: ${shell} is not installed)`)

let world: World
let agency: TestOrganization
let workspace: string
let integration: string
let env: Record<string, string>
beforeAll(async () => {
  world = await createWorld()
  agency = await world.organization('Northwind')
  workspace = (await world.workspace(agency)).slug
  const at = { orgSlug: agency.slug, workspaceSlug: workspace }
  integration = (await agency.admin.client.createIntegration(at, { provider: 'xandr', name: 'Publisher: one' })).id
  await agency.admin.client.createIntegration(at, { provider: 'magnite', name: 'Exchange' })
  const program = join(folder, 'adjoin')
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`)
  chmodSync(program, 0o755)
  const { url: ADJOIN_URL } = world
  env = {
    PATH: `${folder}:${process.env.PATH}`,
    HOME: folder,
    ADJOIN_URL,
    ADJOIN_TOKEN: agency.admin.token,
    ADJOIN_ORG: agency.slug,
    TERM: 'xterm',
  }
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { stdout, stderr } = spawnSync(program, ['completion', shell], { encoding: 'utf8', env })
    expect(stderr).toBe('')
    writeFileSync(join(folder, `script.${shell}`), stdout)
  }
})
afterAll(() => world.stop())

async function run(shell: string, args: string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(shell, args, { encoding: 'utf8', env, timeout: 60_000 })
  expect(stderr).toBe('')
  return stdout
}

describe.skipIf(!isThere('bash'))(`bash${unlessMissing('bash')}`, () => {
  const complete = async (line: string, type = 9) => {
    const typed = line.split(' ').map((word) => `'${word}'`)
    const text = `source ${folder}/script.bash; COMP_TYPE=${type}; COMP_WORDS=(${typed.join(' ')}); COMP_CWORD=${typed.length - 1}; _adjoin; printf '%s\\n' "\${COMPREPLY[@]}"`
    return (await run('bash', ['-c', text])).trim().split('\n')
  }

  it('offers commands, options and their values', async () => {
    expect(await complete('adjoin inte')).toEqual(['integrations'])
    expect(await complete('adjoin keys ro')).toEqual(['rotate'])
    expect(await complete('adjoin --org keys integrations di')).toEqual(['disable'])
    expect(await complete('adjoin keys rotate some-id --gr')).toEqual(['--grace-hours'])
    expect(await complete('adjoin integrations list --status p')).toEqual(['pending'])
    expect(await complete('adjoin integrations list --status = p')).toEqual(['pending'])
    expect(await complete('adjoin connect xa')).toEqual(['xandr'])
    expect(await complete('adjoin completion ')).toEqual(['bash', 'zsh', 'fish'])
    expect(await complete('adjoin completion --js')).toEqual(['--json'])
    expect(await complete(`adjoin audit verify ${folder}/script.z`)).toEqual([`${folder}/script.zsh`])
  })

  it('offers slugs and ids that the service knows: several with their names, one alone as it is, also by its name', async () => {
    expect(await complete(`adjoin --org ${agency.slug.slice(0, 4)}`)).toEqual([agency.slug])
    expect(await complete(`adjoin status --workspace ${workspace.slice(0, 2)}`)).toEqual([workspace])
    const listed = await complete(`adjoin --workspace ${workspace} integrations get `)
    expect(listed.sort()).toEqual([expect.stringMatching(/^[\w-]{36} {2}# /), expect.stringMatching(/^[\w-]{36} {2}# /)])
    expect(await complete(`adjoin --workspace ${workspace} api publ`)).toEqual([integration])
    expect((await complete(`adjoin --workspace ${workspace} api `, 37)).every((one) => /^[\w-]{36}$/.test(one))).toBe(true)
  })
})

describe.skipIf(!isThere('zsh'))(`zsh${unlessMissing('zsh')}`, () => {
  /** An interactive shell on a terminal of its own: what the line is after Tab. */
  const complete = async (...lines: string[]) => {
    const driver = `zmodload zsh/zpty; zpty -b shell zsh -f -i
      quiet() { local chunk; local -i n=0; out=''; while (( n < $1 )); do if zpty -r -t shell chunk; then out+=$chunk; n=0; else sleep 0.1; n+=1; fi; done }
      until_said() { local chunk; local -i n=0; out=''; while [[ $out != *$1* ]] && (( n < 200 )); do if zpty -r -t shell chunk; then out+=$chunk; else sleep 0.1; n+=1; fi; done }
      zpty -w shell 'PS1=; autoload -Uz compinit; compinit -u -D; source ${folder}/script.zsh; show() { print -r -- "LINE[$BUFFER]END"; BUFFER=; }; zle -N show; bindkey "^X^L" show; print RE""ADY'
      until_said READY; quiet 5
      for line in ${lines.map((line) => `'${line}'`).join(' ')}; do
        zpty -w -n shell "$line"$'\\t'$'\\x18\\x0c'; until_said ']END'; print -r -- "$out"; quiet 3
      done`
    const said = await run('zsh', ['-f', '-c', driver])
    return [...said.matchAll(/LINE\[(.*?)\]END/g)].map(([, line]) => line!.trim())
  }

  it('completes commands, options, values, slugs and ids', async () => {
    expect(
      await complete(
        'adjoin inte',
        'adjoin keys ro',
        'adjoin keys rotate some-id --gr',
        'adjoin integrations list --status p',
        'adjoin integrations list --status=p',
        `adjoin --workspace ${workspace} api publ`,
        `adjoin status --org ${agency.slug.slice(0, 4)}`,
      ),
    ).toEqual([
      'adjoin integrations',
      'adjoin keys rotate',
      'adjoin keys rotate some-id --grace-hours',
      'adjoin integrations list --status pending',
      'adjoin integrations list --status=pending',
      `adjoin --workspace ${workspace} api ${integration}`,
      `adjoin status --org ${agency.slug}`,
    ])
  })
})

describe.skipIf(!isThere('fish'))(`fish${unlessMissing('fish')}`, () => {
  const complete = async (line: string) => {
    const said = await run('fish', ['--no-config', '-c', `source ${folder}/script.fish; complete -C '${line}'`])
    return said.trim().split('\n')
  }

  it('offers commands, options and their values', async () => {
    expect(await complete('adjoin inte')).toEqual(['integrations\tIntegrations of the workspace'])
    expect(await complete('adjoin keys rotate some-id --gr')).toEqual([expect.stringMatching(/^--grace-hours\thours that/)])
    expect(await complete('adjoin integrations list --status p')).toEqual(['pending'])
    expect(await complete('adjoin integrations list --status=p')).toEqual(['--status=pending'])
  })

  it('offers slugs and ids that the service knows, with their names', async () => {
    expect(await complete(`adjoin --workspace ${workspace} integrations get `)).toContain(`${integration}\tPublisher: one, pending`)
    expect(await complete('adjoin status --org ')).toEqual([`${agency.slug}\tNorthwind`])
  })
})

describe('what is offered', () => {
  it('is never something that a shell would run', async () => {
    const organizations = ['agency', '$(reboot)', 'a;b', '-rf', 'a b', '`x`'].map((slug) => ({ slug, name: `evil\u001b[2J\n${slug}` }))
    const context = { client: { listOrganizations: async () => ({ organizations }) } } as unknown as Context
    expect(await candidates('organizations', '', context, {})).toEqual([{ value: 'agency', text: 'evil\ufffd[2J agency' }])
  })

  it('is known for every argument that is an id', () => {
    const { command } = createProgram({ HOME: '/nowhere' })
    const all = treeOf(command)
    const unknown = all.filter(({ path, operands }) => !path.startsWith('connect-links') && operands.length && !operands[0])
    expect(unknown.map(({ path }) => path).sort()).toEqual([
      'device approve',
      'device deny',
      'device show',
      'invitations show',
      'requests create',
      'signin show',
    ])
  })
})
