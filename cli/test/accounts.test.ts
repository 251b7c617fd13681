import { describe, expect, it } from 'vitest'
import { accountTable, inTreeOrder, type ListedAccount } from '../src/account-tree.ts'
import { width } from '../src/width.ts'

const account = (id: string, more: Partial<ListedAccount> = {}): ListedAccount => ({
  id,
  name: `Account ${id}`,
  kind: 'account',
  parentId: null,
  currency: 'EUR',
  timeZone: null,
  status: 'ACTIVE',
  inFence: true,
  ...more,
})
const tree = (accounts: ListedAccount[]) => inTreeOrder(accounts).map(({ account: { id }, depth }) => `${'>'.repeat(depth)}${id}`)

describe('accounts', () => {
  it('stand below their parents, in whatever order they come', () => {
    const accounts = [
      account('3', { parentId: '2' }),
      account('2', { kind: 'manager', parentId: '1' }),
      account('1', { kind: 'manager' }),
      account('4'),
    ]
    expect(tree(accounts)).toEqual(['1', '>2', '>>3', '4'])
  })

  it('of which none is at the top are still shown, and one may have its customer’s number', () => {
    expect(tree([account('1', { parentId: '2' }), account('2', { parentId: '1' })])).toEqual(['1', '2'])
    expect(tree([account('7', { kind: 'customer' }), account('7', { parentId: '7' })])).toEqual(['7', '>7'])
    expect(tree([account('1', { parentId: 'elsewhere' })])).toEqual(['1'])
  })

  it('fit into 80 columns: names give way, ids do not', () => {
    const long = account('1234567890123456789', { name: '株式会社'.repeat(20), status: 'ENTITY_STATUS_ACTIVE' })
    const lines = accountTable([long, account('2', { parentId: long.id })]).safe.split('\n')
    expect(lines.every((line) => width(line) <= 80)).toBe(true)
    expect(lines[1]).toContain('1234567890123456789')
    expect(lines[1]).toContain('…')
    expect(lines[2]).toMatch(/^ {2}Account 2 /)
  })
})
