import { describe, expect, it } from 'vitest'
import { accountMismatch } from './session.ts'

describe('the expected account', () => {
  const found = (id: string, email?: string) => ({ id, name: 'Somebody', ...(email && { email }) })

  it.each([
    ['123-456-7890', '1234567890'],
    ['123 456 7890', '123-456-7890'],
    [' 1234567890 ', '1234567890'],
    ['ACT_42', 'act_42'],
  ])('%s is the account %s', (expected, id) => {
    expect(accountMismatch(expected, found(id))).toBeNull()
  })

  it('is the address whatever its case', () => {
    expect(accountMismatch('Ada-B@Agency.example', found('42', 'ada-b@agency.example'))).toBeNull()
  })

  it.each([
    ['adab@agency.example', 'ada-b@agency.example'],
    ['ada@my-agency.example', 'ada@myagency.example'],
    ['12-34@agency.example', '1234@agency.example'],
    ['ada b@agency.example', 'adab@agency.example'],
  ])('%s is not the address %s', (expected, email) => {
    expect(accountMismatch(expected, found('42', email))).toMatchObject({ reason: 'wrong_account' })
  })

  it.each([
    ['someone-else', 'someoneelse'],
    ['urn:li:1-2', 'urn:li:12'],
    ['-42', '42'],
    ['4--2', '42'],
  ])('%s is not the account %s', (expected, id) => {
    expect(accountMismatch(expected, found(id))).toMatchObject({ reason: 'wrong_account' })
  })
})
