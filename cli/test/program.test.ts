import { operationIds } from '@adjoin/contract'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { withSwitchValues } from '../src/flags.ts'
import { createProgram } from '../src/program.ts'
import { providerFields } from '../src/provider-fields.ts'
import { table } from '../src/table.ts'
import { withoutControls } from '../src/terminal.ts'
import { width } from '../src/width.ts'
import { words } from '../src/words.ts'

const { command } = createProgram({ HOME: '/nowhere' })
const find = (path: string): Command | undefined =>
  path.split(' ').reduce<Command | undefined>((at, word) => at?.commands.find((child) => child.name() === word), command)

describe('the command line', () => {
  it.each(operationIds)('reaches %s by a command with help and an example', (id) => {
    const found = find(words[id] ?? (id.endsWith('Events') ? 'events' : 'api'))
    expect(found, `no command for ${id}`).toBeDefined()
    let help = ''
    found!.configureOutput({ writeOut: (text) => (help += text) })
    found!.outputHelp()
    expect(help).toMatch(/Examples?:\n {2}adjoin \w/)
    expect(help).not.toContain('VALUE\n')
    if (words[id]) expect(help).toContain('API: ')
  })

  it('gives every operation words of its own', () => {
    const used = Object.values(words).filter(Boolean)
    expect(new Set(used).size).toBe(used.length)
  })
})

describe('examples', () => {
  const examples = operationIds.flatMap((id) => {
    let help = ''
    const found = words[id] && find(words[id])
    if (!found) return []
    found.configureOutput({ writeOut: (text) => (help += text) })
    found.outputHelp()
    return /Example:\n {2}adjoin (.+)\n/.exec(help.replaceAll(/ \\\n +/g, ' '))![1]!
  })

  it.each(examples)('adjoin %s names a command, its options and as many arguments as it takes', (line) => {
    const parts = [...line.replace(/ < \S+$/, '').matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!)
    let at = command
    for (let next: Command | undefined = command; next; next = at.commands.find((child) => child.name() === parts[0])) {
      if (next !== command) parts.shift()
      at = next
    }
    const operands: string[] = []
    while (parts.length) {
      const part = parts.shift()!
      if (!part.startsWith('--')) operands.push(part)
      else {
        const option = [...at.options, ...command.options].find(({ long }) => long === part)
        expect(option, `${part} of adjoin ${line}`).toBeDefined()
        if (option!.required) parts.shift()
      }
    }
    expect(operands).toHaveLength(at.registeredArguments.length)
  })
})

describe('flags', () => {
  const all = (at: Command): Command[] => [at, ...at.commands.flatMap(all)]
  const options = all(command).flatMap((at) => at.options.map((option) => [at.name(), option] as const))

  it.each(options)('%s: a flag has a name and a placeholder for people, and says what it means', (name, { long, flags, description }) => {
    expect(long, name).toMatch(/^--[a-z]+(-[a-z]{2,})*$/)
    const placeholder = /[<[](.+)[>\]]$/.exec(flags)?.[1]
    const meaning = description.replace(/ \(required\)$/, '')
    expect(meaning, `${name} ${flags}`).not.toBe(long!.slice(2).replaceAll('-', ' '))
    expect(meaning.length, `${name} ${flags}: ${meaning}`).toBeGreaterThan(8)
    if (placeholder && !['text', 'number'].includes(placeholder)) expect(placeholder).toMatch(/^[a-z][a-z.:=| ]+$/)
  })

  it('marks the required ones, also in commands written by hand', () => {
    const helpOf = (path: string) => find(path)!.helpInformation().replace(/\s+/g, ' ')
    expect(helpOf('connect')).toMatch(/--name <text> a name for the integration \(required\)/)
    expect(helpOf('webhooks replay')).toMatch(/--from <time> [^-]*2026-01-31T12:00:00Z \(required\)/)
    expect(helpOf('webhooks create')).toMatch(/--endpoint <address> where to send events/)
    expect(helpOf('signin send')).toMatch(/--callback-url <address> /)
    expect(helpOf('keys revoke')).toMatch(/--dry-run show the effect without changing anything/)
  })

  it('takes the word after a switch as its value only if it is true or false', () => {
    const switches = new Set(['--dry-run', '--force'])
    const given = ['keys', 'revoke', '--dry-run', 'id', '--force', 'false', 'true', '--dry-run=false', '--force']
    expect(withSwitchValues(given, switches)).toEqual([
      'keys',
      'revoke',
      '--dry-run=true',
      'id',
      '--force=false',
      'true',
      '--dry-run=false',
      '--force=true',
    ])
  })
})

describe('output', () => {
  it('aligns wide characters, emoji and combining accents by the columns they take', () => {
    expect(['abc', '株式', '🦊', 'e\u0301', '👩‍🚀', 'é'].map(width)).toEqual([3, 4, 2, 1, 2, 1])
    const lines = table(
      [
        { name: '株式会社', role: 'admin' },
        { name: 'Ascii', role: 'viewer' },
      ],
      ['name', 'role'],
    ).safe.split('\n')
    expect(lines).toEqual(['name      role', '株式会社  admin', 'Ascii     viewer'])
  })

  it('becomes a record a row where the terminal is too narrow for the table', () => {
    const rows = [
      { name: 'Search', connectedAccount: 'Agency (1234567890)' },
      { name: 'Social', connectedAccount: null },
    ]
    expect(table(rows, ['name', 'connectedAccount'], 27).safe).toMatch(/^name +connected account\nSearch +Agency \(1234567890\)\n/)
    expect(table(rows, ['name', 'connectedAccount'], 25).safe).toMatch(/\nSearch {2}Agency \(12345678…\n/)
    expect(table(rows, ['name', 'connectedAccount'], 24).safe).toBe(
      'name\n  Search\nconnected account\n  Agency (1234567890)\n\nname\n  Social\nconnected account  -',
    )
  })

  it.each([100, 50])('fits a terminal of %i columns, with whole ids', (columns) => {
    const id = '5f0c1d1e-8a54-4d2b-9a70-6f1f2a3b4c5d'
    const name = 'A fairly long name of an integration that somebody made up'
    const rows = [
      { id, name, provider: 'campaign_manager_360', status: 'active', connectedAccount: name, statusCheckedAt: '2026-11-16T03:29:31Z' },
    ]
    const text = table(rows, ['id', 'name', 'provider', 'status', 'connectedAccount', 'statusCheckedAt'], columns).safe
    expect(Math.max(...text.split('\n').map(width))).toBeLessThanOrEqual(columns)
    expect(text).toContain(id)
    expect(text.startsWith(`id${' '.repeat(36)}name`)).toBe(columns === 100)
  })

  it('shows control characters of others as what they are, not what they do', () => {
    expect(withoutControls('a\u001b[2Jb\u202ec\nd')).toBe('a\ufffd[2Jb\ufffdc d')
  })
})

describe('fields of a provider', () => {
  const field = { type: 'text', required: true, pattern: null, options: null, default: null, help: null } as const
  const connectFields = [
    { ...field, name: 'username', label: 'User', secret: false },
    { ...field, name: 'password', label: 'Password', secret: true },
  ]
  const descriptor = { providerName: 'Xandr', connectFields } as unknown as Parameters<typeof providerFields>[0]

  it('come from flags, secret ones never as they stand', async () => {
    expect(await providerFields(descriptor, ['username=a=b'], false)).toEqual({ username: 'a=b' })
    await expect(providerFields(descriptor, ['username=a', 'password=hunter2'], false)).rejects.toMatchObject({ exit: 2 })
    await expect(providerFields(descriptor, ['username'], false)).rejects.toThrow('takes NAME=VALUE')
    await expect(providerFields(descriptor, ['password=@/nowhere/file'], false)).rejects.toThrow('Can’t read /nowhere/file')
  })
})
