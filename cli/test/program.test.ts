import { operationIds } from '@adjoin/contract'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { createProgram } from '../src/program.ts'
import { words } from '../src/words.ts'

const { command } = createProgram({ HOME: '/nowhere' })
const find = (path: string): Command | undefined =>
  path.split(' ').reduce<Command | undefined>((at, word) => at?.commands.find((child) => child.name() === word), command)

describe('the command line', () => {
  it.each(operationIds)('reaches %s by a command with help and an example', (id) => {
    const found = find(words[id]!)
    expect(found, `no command for ${id}`).toBeDefined()
    let help = ''
    found!.configureOutput({ writeOut: (text) => (help += text) })
    found!.outputHelp()
    expect(help).toContain('Example')
    expect(help).toContain('API: ')
  })

  it('gives every operation words of its own', () => {
    const used = Object.values(words).filter(Boolean)
    expect(new Set(used).size).toBe(used.length)
  })
})
