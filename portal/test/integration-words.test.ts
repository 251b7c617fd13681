import { permissionsIn } from '@adjoin/contract/permissions'
import { expect, test } from 'vitest'
import { providers } from '../../api/src/providers/index.ts'
import { type Integration, turnOf } from '../src/integration-words.ts'

test('who must act has words for everybody, and others while nothing is connected', () => {
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

test('every permission that any ad system asks for is told in plain words', () => {
  for (const { id, scopes } of providers) for (const said of permissionsIn([...scopes])) expect(said, id).toMatch(/^[A-Z][a-z]+ .* /)
})
