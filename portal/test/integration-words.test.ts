import { expect, test } from 'vitest'
import { providers } from '../../api/src/providers/index.ts'
import { type ReasonCode, reasons, describe as sentenceOf } from '../../api/src/providers/reasons.ts'
import { permissionsIn, toYou } from '../src/connect/permissions.ts'
import { turnOf } from '../src/integration-words.ts'

const link = { connectUrl: 'https://adjoin.example/connect/x', expiresAt: '2026-01-01T00:00:00Z' }
const quiet = { statusDetail: null, lastError: null, connectLink: null }

test('whose turn it is follows the service’s own sentence, for every reason it has', () => {
  const turns = { client: 'The client must act', agency: 'You must act', operator: 'The operator must act' } as const
  for (const [reason, { who, lasting }] of Object.entries(reasons)) {
    const said = sentenceOf('Example', { reason: reason as ReasonCode })
    if (lasting && who !== 'nobody') expect(turnOf({ ...quiet, status: 'error', statusDetail: said }), reason).toBe(turns[who])
    else expect(turnOf({ ...quiet, status: 'active', lastError: said }), reason).toBe('Tried again by itself')
    expect(toYou(said), reason).not.toMatch(/[Tt]he client/)
  }
})

test('what is not connected waits for the client while a link lives, and for the agency without one', () => {
  expect(turnOf({ ...quiet, status: 'pending', connectLink: { ...link, expired: false } })).toBe('Waits for the client')
  expect(turnOf({ ...quiet, status: 'pending', connectLink: { ...link, expired: true } })).toBe('Needs a new link')
  expect(turnOf({ ...quiet, status: 'disabled', lastError: 'out of order' })).toBeUndefined()
})

test('every permission that any ad system asks for is told in plain words', () => {
  for (const { id, scopes } of providers) for (const said of permissionsIn([...scopes])) expect(said, id).toMatch(/^[A-Z][a-z]+ .* /)
})
