import { operations, settingsFor } from '@adjoin/contract'
import { describe, expect, it } from 'vitest'
import { accountTable, inTreeOrder, type ListedAccount } from '../src/account-tree.ts'
import { flagsOf, valuesOf } from '../src/flags.ts'
import { pickedFrom } from '../src/pick-account.ts'
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

describe('picking one', () => {
  const manager = account('9', { kind: 'manager' })
  const middle = account('8', { kind: 'manager', parentId: '9' })
  const leaf = account('7', { parentId: '8' })

  it('is by number or by ID', () => {
    expect(pickedFrom([leaf, account('1')], '1')?.id).toBe('1')
    expect(pickedFrom([leaf, account('5')], ' 2 ')?.id).toBe('5')
    expect(['', '0', '3', 'x', '-1'].map((answer) => pickedFrom([leaf, account('5')], answer))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  it('fills the settings above it as well', () => {
    const [first, others] = [{ setting: 'customerId', kind: 'account' }, [{ setting: 'loginCustomerId', kind: 'manager' }]]
    expect(settingsFor([leaf, middle, manager], leaf, first, others)).toEqual({ customerId: '7', loginCustomerId: '9' })
    expect(settingsFor([leaf], leaf, first, others)).toEqual({ customerId: '7' })
    const own = account('7', { parentId: '7' })
    const customer = account('7', { kind: 'customer' })
    expect(
      settingsFor([own, customer], own, { setting: 'accountId', kind: 'account' }, [{ setting: 'customerId', kind: 'customer' }]),
    ).toEqual({
      accountId: '7',
      customerId: '7',
    })
  })
})

it('a call policy takes several accounts, or null for all', () => {
  const flags = flagsOf(operations.setIntegrationCallPolicy.body)
  expect(valuesOf(flags, { mode: 'read', accounts: ['1', '2'] })).toEqual({ mode: 'read', accounts: ['1', '2'] })
  expect(valuesOf(flags, { mode: 'read', accounts: ['null'] })).toEqual({ mode: 'read', accounts: null })
  expect(flags.find(({ name }) => name === 'accounts')?.help).toContain('repeat for more')
})
