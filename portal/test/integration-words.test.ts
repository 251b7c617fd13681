import { expect, test } from 'vitest'
import { providers } from '../../api/src/providers/index.ts'
import { type ReasonCode, reasons, describe as sentenceOf } from '../../api/src/providers/reasons.ts'
import { permissionsIn, toYou } from '../src/connect/permissions.ts'
import { type Integration, turnOf } from '../src/integration-words.ts'

test('whose turn it is has words for everybody, and others while nothing is connected', () => {
  expect(['client', 'agency', 'operator', 'nobody', null].map((mustAct) => turnOf({ status: 'error', mustAct } as Integration))).toEqual([
    'The client must act',
    'You must act',
    'The operator must act',
    'Retrying automatically',
    undefined,
  ])
  expect(['client', 'agency', 'operator'].map((mustAct) => turnOf({ status: 'pending', mustAct } as Integration))).toEqual([
    'Waits for the client',
    'Needs a new link',
    'The operator must act',
  ])
})

test('no sentence of the service speaks to a client of the client', () => {
  for (const reason of Object.keys(reasons) as ReasonCode[])
    expect(toYou(sentenceOf('Example', { reason })), reason).not.toMatch(/[Tt]he client/)
})

test('every permission that any ad system asks for is told in plain words', () => {
  for (const { id, scopes } of providers) for (const said of permissionsIn([...scopes])) expect(said, id).toMatch(/^[A-Z][a-z]+ .* /)
})
