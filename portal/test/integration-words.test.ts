import { permissionsIn } from '@adjoin/contract/permissions'
import { expect, test } from 'vitest'
import { providers } from '../../api/src/providers/index.ts'
import { type ReasonCode, reasons, describe as sentenceOf, whoMustAct } from '../../api/src/providers/reasons.ts'
import { softwareSentence } from '../src/connect/software-sentence.ts'
import { whyNotConnected } from '../src/connect/why-not-connected.ts'
import { type Integration, turnOf } from '../src/integration-words.ts'

test('whose turn it is has words for everybody, and others while nothing is connected', () => {
  expect(['client', 'agency', 'operator', 'nobody', null].map((mustAct) => turnOf({ status: 'error', mustAct } as Integration))).toEqual([
    'Your client needs to act',
    'You need to act',
    'Your Adjoin operator needs to act',
    'Retrying automatically',
    undefined,
  ])
  expect(['client', 'agency', 'operator'].map((mustAct) => turnOf({ status: 'pending', mustAct } as Integration))).toEqual([
    'Waiting for your client',
    'Needs a new link',
    'Your Adjoin operator needs to act',
  ])
})

test('a client is told what they can do, never of the client, the agency, the operator or the settings', () => {
  for (const reason of Object.keys(reasons) as ReasonCode[]) {
    const failure = { reason, mustAct: whoMustAct(reason), detail: sentenceOf('Example', { reason }, 'entered') }
    const words = whyNotConnected(failure, { providerName: 'Example', organization: 'Northwind' })
    expect(words, reason).not.toMatch(/client|agency|operator|[Ss]etting/)
    expect(words, reason).toMatch(/connect again|Connect again|try again|Try again|[Ss]tart again/)
  }
})

test('a client is told what the agency’s software will be able to do', () => {
  const say = (name: string, mode: 'off' | 'read' | 'full') =>
    softwareSentence({ organization: { name }, callPolicy: { mode, accounts: null } })
  expect(say('Northwind', 'read')).toBe(
    'Northwind’s software will be able to read reports and settings. It can’t change anything. Northwind’s admins can change this later.',
  )
  expect(say('Engines', 'off')).toMatch(/^Engines’ software won’t be able to use this connection\./)
  expect(say('Engines', 'full')).toMatch(/read and change campaigns, budgets and settings\. Engines’ admins/)
})

test('every permission that any ad system asks for is told in plain words', () => {
  for (const { id, scopes } of providers) for (const said of permissionsIn([...scopes])) expect(said, id).toMatch(/^[A-Z][a-z]+ .* /)
})
